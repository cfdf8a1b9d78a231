"""Where things are in Paris: squares, avenues between them, the Seine with its bridges, and parks, entered from memory.

Well-known places to within about a hundred metres (general knowledge; no map data was copied). They are the skeleton on
which `streets.py` grows invented side streets, so a sample looks right at the scale of the city and is invented at the
scale of a street.
"""

from __future__ import annotations

CENTRE = (48.86, 2.34)
"""Centre of the local metric frame, in degrees."""

SQUARES: dict[str, tuple[float, float]] = {
    "Étoile": (48.8738, 2.2950), "Rond-Point": (48.8690, 2.3098), "Concorde": (48.8656, 2.3212),
    "Trocadéro": (48.8630, 2.2870), "Alma": (48.8647, 2.3010), "Iéna": (48.8648, 2.2937),
    "Invalides": (48.8612, 2.3146), "École Militaire": (48.8547, 2.3063), "Montparnasse": (48.8421, 2.3219),
    "Denfert": (48.8339, 2.3325), "Alésia": (48.8282, 2.3270), "Italie": (48.8313, 2.3556),
    "Port-Royal": (48.8398, 2.3370), "Gobelins": (48.8375, 2.3520), "Austerlitz": (48.8436, 2.3640),
    "Bastille": (48.8532, 2.3692), "Nation": (48.8483, 2.3959), "République": (48.8674, 2.3638),
    "Père Lachaise": (48.8630, 2.3868), "Gambetta": (48.8650, 2.3985), "Belleville": (48.8720, 2.3768),
    "Stalingrad": (48.8842, 2.3675), "Jaurès": (48.8822, 2.3703), "Barbès": (48.8838, 2.3496),
    "Pigalle": (48.8822, 2.3374), "Clichy": (48.8836, 2.3273), "Villiers": (48.8813, 2.3158),
    "Courcelles": (48.8793, 2.3033), "Ternes": (48.8782, 2.2985), "Pereire": (48.8849, 2.2977),
    "Saint-Augustin": (48.8757, 2.3197), "Saint-Lazare": (48.8757, 2.3255), "Havre": (48.8737, 2.3275),
    "Miromesnil": (48.8735, 2.3135), "Madeleine": (48.8701, 2.3245), "Opéra": (48.8709, 2.3318),
    "Chaussée d'Antin": (48.8728, 2.3335), "Drouot": (48.8720, 2.3393), "Cadet": (48.8760, 2.3443),
    "Bonne Nouvelle": (48.8706, 2.3490), "Saint-Denis": (48.8694, 2.3543), "Réaumur": (48.8663, 2.3524),
    "Bourse": (48.8686, 2.3408), "Gare de l'Est": (48.8762, 2.3580), "Gare du Nord": (48.8800, 2.3553),
    "Châtelet": (48.8577, 2.3475), "Hôtel de Ville": (48.8572, 2.3516), "Louvre": (48.8608, 2.3410),
    "Palais-Royal": (48.8627, 2.3364), "Pyramides": (48.8642, 2.3304), "Saint-Paul": (48.8552, 2.3610),
    "Saint-Michel": (48.8526, 2.3440), "Odéon": (48.8521, 2.3390), "Saint-Germain": (48.8539, 2.3335),
    "Bac": (48.8559, 2.3257), "Assemblée": (48.8606, 2.3185), "Maubert": (48.8500, 2.3487),
    "Jussieu": (48.8478, 2.3555), "Luxembourg": (48.8462, 2.3400), "Sèvres-Babylone": (48.8515, 2.3268),
    "Vavin": (48.8421, 2.3290), "Raspail": (48.8391, 2.3306), "Duroc": (48.8470, 2.3165),
    "Pasteur": (48.8427, 2.3128), "Sèvres-Lecourbe": (48.8456, 2.3095), "Cambronne": (48.8476, 2.3030),
    "Motte-Picquet": (48.8489, 2.2987), "Dupleix": (48.8504, 2.2936), "Convention": (48.8371, 2.2965),
    "Vaugirard": (48.8394, 2.3010), "Charles Michels": (48.8466, 2.2863), "Gaîté": (48.8385, 2.3226),
    "Plaisance": (48.8317, 2.3138), "Glacière": (48.8312, 2.3434), "Tolbiac": (48.8263, 2.3573),
    "Olympiades": (48.8275, 2.3670), "Nationale": (48.8332, 2.3628), "Chevaleret": (48.8349, 2.3681),
    "Gare de Lyon": (48.8450, 2.3730), "Bercy": (48.8401, 2.3793), "Dugommier": (48.8390, 2.3897),
    "Daumesnil": (48.8394, 2.3958), "Bel-Air": (48.8413, 2.4009), "Reuilly": (48.8441, 2.3862),
    "Ledru-Rollin": (48.8513, 2.3760), "Faidherbe": (48.8500, 2.3842), "Voltaire": (48.8577, 2.3800),
    "Charonne": (48.8550, 2.3850), "Richard-Lenoir": (48.8600, 2.3708), "Filles du Calvaire": (48.8630, 2.3667),
    "Parmentier": (48.8653, 2.3745), "Goncourt": (48.8700, 2.3709), "Couronnes": (48.8693, 2.3803),
    "Ménilmontant": (48.8666, 2.3834), "Philippe Auguste": (48.8581, 2.3905), "Avron": (48.8516, 2.3982),
    "Maraîchers": (48.8527, 2.4060), "Jourdain": (48.8752, 2.3893), "Télégraphe": (48.8755, 2.3986),
    "Pyrénées": (48.8738, 2.3852), "Canal Saint-Martin": (48.8714, 2.3655), "Récollets": (48.8741, 2.3640),
    "Louis Blanc": (48.8796, 2.3662), "Colonel Fabien": (48.8777, 2.3706), "Botzaris": (48.8795, 2.3889),
    "Laumière": (48.8851, 2.3795), "Crimée": (48.8907, 2.3770), "La Chapelle": (48.8844, 2.3597),
    "Marx Dormoy": (48.8906, 2.3598), "Marcadet": (48.8914, 2.3497), "Joffrin": (48.8925, 2.3443),
    "Guy Môquet": (48.8930, 2.3274), "La Fourche": (48.8874, 2.3258), "Brochant": (48.8907, 2.3200),
    "Wagram": (48.8838, 2.3043), "Victor Hugo": (48.8698, 2.2858), "La Muette": (48.8581, 2.2740),
    "Passy": (48.8575, 2.2848), "Auteuil": (48.8472, 2.2690), "Exelmans": (48.8425, 2.2620),
    "P. Maillot": (48.8780, 2.2826), "P. Champerret": (48.8868, 2.2905), "P. d'Asnières": (48.8900, 2.3005),
    "P. de Clichy": (48.8950, 2.3130), "P. de Saint-Ouen": (48.8990, 2.3288), "P. de Clignancourt": (48.9000, 2.3445),
    "P. de la Chapelle": (48.9005, 2.3593), "P. d'Aubervilliers": (48.9010, 2.3720),
    "P. de la Villette": (48.8995, 2.3870), "P. de Pantin": (48.8890, 2.3960), "P. du Pré": (48.8815, 2.4035),
    "P. des Lilas": (48.8772, 2.4080), "P. de Bagnolet": (48.8645, 2.4125), "P. de Montreuil": (48.8534, 2.4138),
    "P. de Vincennes": (48.8472, 2.4140), "P. Dorée": (48.8355, 2.4085), "P. de Charenton": (48.8300, 2.4010),
    "P. d'Ivry": (48.8190, 2.3720), "P. d'Italie": (48.8165, 2.3600), "P. de Gentilly": (48.8165, 2.3440),
    "P. d'Orléans": (48.8195, 2.3250), "P. de Vanves": (48.8255, 2.3045), "P. de Versailles": (48.8308, 2.2875),
    "P. de Sèvres": (48.8325, 2.2760), "P. de Saint-Cloud": (48.8375, 2.2560), "P. d'Auteuil": (48.8480, 2.2560),
    "P. de la Muette": (48.8610, 2.2650), "P. Dauphine": (48.8715, 2.2745),
}  # fmt: skip

# The Seine from east to west: latitude, longitude, half its width between the quays in metres, and the bridge there.
SEINE: list[tuple[float, float, float, str]] = [
    (48.8262, 2.3890, 75, "Amont"), (48.8292, 2.3838, 75, "National"), (48.8338, 2.3790, 75, "Tolbiac"),
    (48.8381, 2.3748, 75, "Bercy"), (48.8424, 2.3697, 75, "Charles-de-Gaulle"), (48.8453, 2.3658, 75, "Austerlitz"),
    (48.8497, 2.3595, 130, "Sully"), (48.8520, 2.3560, 180, "Marie"), (48.8540, 2.3512, 190, "Arcole"),
    (48.8553, 2.3468, 180, "Change"), (48.8570, 2.3414, 120, "Neuf"), (48.8583, 2.3375, 70, ""),
    (48.8593, 2.3330, 65, "Carrousel"), (48.8602, 2.3300, 65, "Royal"), (48.8621, 2.3247, 65, ""),
    (48.8635, 2.3196, 70, "Concorde"), (48.8639, 2.3136, 70, "Alexandre"), (48.8636, 2.3105, 70, "Invalides"),
    (48.8636, 2.3015, 70, "Alma"), (48.8626, 2.2968, 70, ""), (48.8597, 2.2924, 70, "Iéna"),
    (48.8557, 2.2877, 95, "Bir-Hakeim"), (48.8503, 2.2800, 95, "Grenelle"), (48.8465, 2.2757, 75, "Mirabeau"),
    (48.8393, 2.2689, 70, "Garigliano"), (48.8345, 2.2645, 70, "Aval"),
]  # fmt: skip

# Avenues as squares in order; "+X" is the north end and "-X" the south end of bridge X.
AVENUES: list[str] = [
    "P. Maillot|Étoile|Rond-Point|Concorde|Pyramides|Palais-Royal|Louvre|Châtelet|Hôtel de Ville|Saint-Paul|Bastille"
    "|Ledru-Rollin|Faidherbe|Nation|P. de Vincennes",
    "Concorde|Madeleine|Opéra|Drouot|Bonne Nouvelle|Saint-Denis|République|Filles du Calvaire|Bastille",
    "+Change|Châtelet|Réaumur|Saint-Denis|Gare de l'Est|Gare du Nord", "Concorde|+Concorde", "Alma|+Alma",
    "République|Gare de l'Est|Gare du Nord|Barbès|Marcadet|P. de Clignancourt",
    "Étoile|Ternes|Courcelles|Villiers|Clichy|Pigalle|Barbès|La Chapelle|Stalingrad|Jaurès|Colonel Fabien|Belleville"
    "|Couronnes|Ménilmontant|Père Lachaise|Philippe Auguste|Avron|Nation",
    "Nation|Bel-Air|Daumesnil|Dugommier|Bercy|+Bercy", "-Bercy|Chevaleret|Nationale|Italie|Glacière|Denfert|Raspail",
    "Raspail|Montparnasse|Pasteur|Sèvres-Lecourbe|Cambronne|Motte-Picquet|Dupleix|-Bir-Hakeim",
    "+Bir-Hakeim|Passy|Trocadéro|Étoile", "-Sully|Maubert|Saint-Michel|Odéon|Saint-Germain|Bac|Assemblée|-Concorde",
    "-Change|Saint-Michel|Luxembourg|Port-Royal|Denfert|Alésia|P. d'Orléans",
    "Invalides|Duroc|Montparnasse|Vavin|Port-Royal|Gobelins|Austerlitz|-Austerlitz", "-Alexandre|Invalides|Assemblée",
    "Gobelins|Italie|Tolbiac|P. d'Italie", "Bac|Sèvres-Babylone|Vavin|Raspail", "-Royal|Bac", "+Royal|Pyramides",
    "République|Voltaire|Charonne|Nation", "République|Parmentier|Père Lachaise|Gambetta|P. de Bagnolet",
    "République|Goncourt|Belleville|Pyrénées|Jourdain|Télégraphe|P. des Lilas", "Jaurès|Laumière|P. de Pantin",
    "Stalingrad|Crimée|P. de la Villette", "La Chapelle|Marx Dormoy|P. de la Chapelle", "Gare du Nord|La Chapelle",
    "Clichy|La Fourche|Guy Môquet|P. de Saint-Ouen", "La Fourche|Brochant|P. de Clichy", "Saint-Lazare|Clichy",
    "Étoile|Miromesnil|Saint-Augustin|Saint-Lazare|Havre|Chaussée d'Antin|Drouot", "Saint-Augustin|Havre",
    "Madeleine|Saint-Augustin|Villiers|Wagram|P. d'Asnières", "Étoile|Wagram", "Courcelles|Pereire|P. Champerret",
    "Opéra|Palais-Royal", "Opéra|Chaussée d'Antin|Cadet|Gare du Nord|Louis Blanc|Stalingrad", "Saint-Lazare|Villiers",
    "Étoile|Alma", "Étoile|Victor Hugo|P. de la Muette", "Étoile|P. Dauphine", "Alma|Rond-Point|Miromesnil",
    "Alma|Iéna|Trocadéro|La Muette|Auteuil|Exelmans|P. de Saint-Cloud", "La Muette|P. de la Muette",
    "Iéna|+Iéna", "-Alma|École Militaire|Cambronne", "Invalides|École Militaire|Motte-Picquet|Charles Michels",
    "-Grenelle|Charles Michels|Convention", "+Mirabeau|Auteuil|P. d'Auteuil", "+Garigliano|Exelmans",
    "Pasteur|Vaugirard|Convention|P. de Versailles", "-Mirabeau|Convention|Plaisance|Alésia|Tolbiac|Olympiades",
    "Olympiades|-Tolbiac", "+Tolbiac|Dugommier", "Montparnasse|Gaîté|Alésia", "Gaîté|Plaisance|P. de Vanves",
    "Bastille|Gare de Lyon|Reuilly|Daumesnil|P. Dorée", "Reuilly|Nation", "+Charles-de-Gaulle|Gare de Lyon|Bercy",
    "-Charles-de-Gaulle|Austerlitz", "+Austerlitz|Bastille", "+Sully|Saint-Paul", "+Arcole|Hôtel de Ville",
    "-Sully|Jussieu|Gobelins", "Jussieu|Austerlitz", "Luxembourg|Maubert", "Sèvres-Babylone|Duroc|Sèvres-Lecourbe",
    "Bastille|Richard-Lenoir|Canal Saint-Martin|Récollets|Louis Blanc|Jaurès", "Richard-Lenoir|Voltaire|Père Lachaise",
    "Louvre|Bourse|Drouot|Cadet|Pigalle", "Bourse|Réaumur|République", "+Neuf|Louvre", "-Neuf|Odéon|Luxembourg",
    "Pyrénées|Gambetta|Maraîchers|P. de Vincennes", "Guy Môquet|Joffrin|Marcadet|Marx Dormoy|Crimée|Laumière",
    "Laumière|Botzaris|Jourdain", "Brochant|Guy Môquet", "Botzaris|P. du Pré", "Charonne|Maraîchers|P. de Montreuil",
    "Nationale|Olympiades|P. d'Ivry", "Faidherbe|Reuilly", "Havre|Madeleine",
    "Pereire|Wagram|Brochant", "Glacière|P. de Gentilly", "Denfert|Gobelins", "-Garigliano|P. de Sèvres",
]  # fmt: skip

RING: str = (
    "+Aval|P. de Saint-Cloud|P. d'Auteuil|P. de la Muette|P. Dauphine|P. Maillot|P. Champerret|P. d'Asnières|"
    "P. de Clichy|P. de Saint-Ouen|P. de Clignancourt|P. de la Chapelle|P. d'Aubervilliers|P. de la Villette"
    "|P. de Pantin|P. du Pré|P. des Lilas|P. de Bagnolet|P. de Montreuil|P. de Vincennes|P. Dorée|P. de Charenton"
    "|+Amont|-Amont|P. d'Ivry|P. d'Italie|P. de Gentilly|P. d'Orléans|P. de Vanves|P. de Versailles|P. de Sèvres"
    "|-Aval|+Aval"
)
"""The ring road, once around."""

# Gardens and cemeteries without streets: latitude, longitude, radius in metres.
PARKS: list[tuple[float, float, float]] = [
    (48.8640, 2.3255, 190), (48.8622, 2.3305, 170), (48.8465, 2.3370, 240), (48.8570, 2.2965, 230),
    (48.8540, 2.3005, 200), (48.8440, 2.3596, 210), (48.8800, 2.3828, 280), (48.8614, 2.3935, 330),
    (48.8222, 2.3385, 220), (48.8555, 2.3125, 160), (48.8878, 2.3297, 140), (48.8380, 2.3270, 200),
    (48.8797, 2.3090, 130), (48.8720, 2.2755, 90), (48.8935, 2.3900, 260), (48.8352, 2.3830, 200),
]  # fmt: skip
