"""Archives with one readable file, and exports that hold a series in a structure of their own; all values are made up."""

from __future__ import annotations

import gzip
import io
import random
import warnings
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import QuiltLab, load
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import Series, Trajectory, load_series, load_trajectory
from tests.trajectory.test_load_fuzz import mutated, survives

CSV = b"time,lat,lon\n2024-05-04T06:00Z,48.2,11.5\n2024-05-04T06:05Z,48.3,11.6\n"
KML = (
    b"<kml><Document><Placemark><TimeStamp><when>2024-05-04T06:00:00Z</when></TimeStamp><Point><coordinates>11.5,48.2"
    b"</coordinates></Point></Placemark></Document></kml>"
)
APPLE = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!ELEMENT HealthData (Record*)>
<!ATTLIST Record value CDATA #IMPLIED>
]>
<HealthData locale="en_GB">
 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" startDate="2024-05-04 08:00:00 +0200" value="12"/>
 <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Ada&#39;s Watch" unit="count/min"
  creationDate="2024-05-04 08:30:00 +0200" startDate="2024-05-04 08:00:00 +0200" value="61"/>
 <Record type="HKQuantityTypeIdentifierHeartRate" startDate="2024-05-04 08:05:00 +0200"
  sourceName="Ada&#39;s Watch" value="64.5">
  <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>
 </Record>
 <Record type="HKQuantityTypeIdentifierHeartRate" startDate="2024-05-04 08:10:00 +0200"
  sourceName="Ada&#39;s Watch" value="70"/>
</HealthData>
"""
FITBIT = b"""[{"dateTime" : "05/04/24 06:00:00", "value" : {"bpm" : 61, "confidence" : 2}},
{"dateTime" : "05/04/24 06:05:00", "value" : {"bpm" : 64, "confidence" : 3}},
{"dateTime" : "05/04/24 06:10:00", "value" : {"bpm" : 70, "confidence" : 3}}]"""


def nem12(*meters: str, unit: str = "kWh", days: int = 2) -> bytes:
    day = ",".join(f"{k / 10:.1f}" for k in range(48))
    lines = ["100,NEM12,202405061149,MDP1,RETAIL"]
    for meter in meters:
        lines.append(f"200,6305000000,E1B1,1,{meter},N1,01009,{unit},30,20240610")
        lines += [f"300,2024050{4 + k},{day},A,,,20240506121004," for k in range(days)]
    return "\r\n".join([*lines, "900", ""]).encode()


def green(readings: str = "", types: str = "", block: str = "1", start: int = 1714802400) -> bytes:
    values = "".join(
        f"<e:IntervalReading><e:cost>4</e:cost><e:timePeriod><e:duration>900</e:duration><e:start>{start + 900 * k}</e:start>"
        f"</e:timePeriod><e:value>{100 * k + 50}</e:value></e:IntervalReading>"
        for k in range(8)
    )
    return f"""<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:e="http://naesb.org/espi">
<entry><link rel="self" href="U/1/MeterReading/1"/><link rel="related" href="ReadingType/1"/>
<content><e:MeterReading/></content></entry>{readings}
<entry><link rel="self" href="ReadingType/1"/><content><e:ReadingType><e:powerOfTenMultiplier>-1</e:powerOfTenMultiplier>
<e:uom>72</e:uom></e:ReadingType></content></entry>{types}
<entry><link rel="self" href="U/1/MeterReading/1/IntervalBlock/{block}"/>
<content><e:IntervalBlock>{values}</e:IntervalBlock></content></entry></feed>""".encode()


IGC = (
    b"AXXX001\r\nHFDTEDATE:040524,01\r\nHFPLTPILOT:x\r\nB2358004812000N01130000EA0050000510\r\n"
    b"LXXXcomment\r\nB0003004812120S01130180WA0050000510123\r\nB00040048121\r\n"
)


def zipped(*files: tuple[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("data", "count", "format"),
    [
        (zipped(("export/track.csv", CSV), ("export/readme.txt", b"hello")), 2, "CSV"),
        (zipped(("doc.kml", KML), ("files/icon.png", b"\x89PNG")), 1, "KML"),
        (zipped(("track.txt", CSV)), 2, "CSV"),
        (zipped(("__MACOSX/._track.csv", b"x"), (".hidden.csv", b"y"), ("../../track.csv", CSV)), 2, "CSV"),
        (gzip.compress(CSV, mtime=0), 2, "CSV"),
    ],
)
def test_an_archive_is_its_one_readable_file(data: bytes, count: int, format: str, tmp_path: Any) -> None:
    path = tmp_path / "walk.zip"
    path.write_bytes(data)
    for source in (data, path, path.open("rb")):
        track = load(source)
        assert type(track) is Trajectory and (len(track), track.format) == (count, format)
    assert load_trajectory(path).name in ("walk", "") and list(tmp_path.iterdir()) == [path]


def test_what_else_was_in_the_archive_is_said() -> None:
    assert (
        load(zipped(("a.csv", CSV), ("b.png", b""), ("c.txt", b""))).notices[0]
        == "2 other files of the archive were left out."
    )


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (
            lambda: zipped(("a.gpx", b"x"), ("b.gpx", b"y"), ("1.5.csv", b"z")),
            'got 3 such files ("a.gpx", "b.gpx", …) of 3',
        ),
        (lambda: zipped(("a.png", b"x")), "got 0 such files of 1"),
        (lambda: zipped(*((f"{k}.png", b"") for k in range(1_001))), "at most 1,000 files; got 1,001"),
        (lambda: zipped(("a.csv", b"0" * 150_000_000)), "unpack to at most 128 MB"),
        (lambda: gzip.compress(b"0" * 5_000_000, mtime=0), "to 100 times its size"),
        (lambda: zipped(("a.zip", b"PK\x03\x04")), "got 0 such files"),
        (lambda: zipped(("a.csv", zipped(("b.csv", CSV)))), "must not contain another one"),
        (lambda: zipped(("a.csv", CSV))[:60], "complete, undamaged and without a password"),
        (lambda: gzip.compress(CSV, mtime=0)[:-9], "complete, undamaged and without a password"),
        (lambda: zipped(("[Content_Types].xml", b""), ("xl/workbook.xml", b"")), "Save the sheet you need as CSV"),
    ],
    ids=[f"refused {k}" for k in range(10)],  # an archive holds the time at which it was made
)
def test_archives_that_are_refused(data: Callable[[], bytes], sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        load(data())
    assert sentence in str(caught.value)


def workbook(*sheets: list[list[float | str]]) -> bytes:
    """A workbook with these rows: below a heading, the first number of a row is a time, in days since 1900."""
    main, office = (
        "http://schemas.openxmlformats.org/",
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    )
    names = [f"s{k}" for k in range(len(sheets))]
    listed = "".join(f'<sheet name="{name}" sheetId="{k + 1}" r:id="{name}"/>' for k, name in enumerate(names))
    links = "".join(
        f'<Relationship Id="{name}" Type="{office}/worksheet" Target="worksheets/{name}.xml"/>' for name in names
    )
    links += f'<Relationship Id="t" Type="{office}/styles" Target="styles.xml"/>'
    sheet = f'xmlns="{main}spreadsheetml/2006/main" xmlns:r="{office}"'
    whole = f'<Relationship Id="b" Type="{office}/officeDocument" Target="xl/workbook.xml"/>'
    parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": f'<Relationships xmlns="{main}package/2006/relationships">{whole}</Relationships>',
        "xl/workbook.xml": f"<workbook {sheet}><sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{main}package/2006/relationships">{links}</Relationships>',
        "xl/styles.xml": f'<styleSheet {sheet}><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>',
    }
    for name, rows in zip(names, sheets, strict=True):
        cells = [
            "".join(
                f'<c t="str"><v>{cell}</v></c>'
                if isinstance(cell, str)
                else f'<c s="{int(k == 0)}"><v>{cell!r}</v></c>'
                for k, cell in enumerate(row)
            )
            for row in rows
        ]
        body = "".join(f"<row>{row}</row>" for row in cells)
        parts[f"xl/worksheets/{name}.xml"] = f"<worksheet {sheet}><sheetData>{body}</sheetData></worksheet>"
    return zipped(*((name, text.encode()) for name, text in parts.items()))


DAY = 45416  # 4 May 2024
METER: list[list[float | str]] = [["Meter 7"], ["time", "kWh"], *([DAY + k / 96, k % 8 / 8] for k in range(96))]
NOTE: list[list[float | str]] = [["Note"], ["made up"]]


def test_a_workbook_is_opened_where_the_library_is_installed() -> None:
    pytest.importorskip("python_calamine")
    found = load(workbook(NOTE, METER), timezone="Europe/Berlin")
    assert isinstance(found, Series) and found.unit == "kWh" and found.values.tolist() == [k % 8 / 8 for k in range(96)]
    assert np.array_equal(found.time, np.datetime64("2024-05-03T22:00") + np.arange(96) * np.timedelta64(15, "m"))
    assert found.notices == ("1 other sheet was left out.",)
    places = [["time", "lat", "lon"], *([DAY + k / 1440, 48.2 + k / 100, 11.5] for k in range(12))]
    track = load(workbook(places), timezone="UTC")
    assert track.time[-1] == np.datetime64("2024-05-04T00:11") and track.latitude[1] == 48.21
    assert (found.format, track.format) == ("Excel", "Excel")


def test_workbooks_that_are_refused() -> None:
    pytest.importorskip("python_calamine")
    with zipfile.ZipFile(io.BytesIO(workbook(METER))) as archive:
        whole = [(name, archive.read(name)) for name in archive.namelist()]
    parts = list(whole)
    parts[-1] = (parts[-1][0], parts[-1][1].replace(b"<row><c", b"<row><c r='XFD1048576'", 1))
    for data, said in (
        (zipped(*parts), "at most 20,000,000 cells"),
        (workbook(METER, METER), "one sheet with a table; got 2 such sheets"),
        (workbook(), "one sheet with a table; got 0 such sheets"),
        (zipped(*parts[:2]), "undamaged"),
        (zipped(*parts[:5], ("x", b"0" * 150_000_000)), "unpack to at most 128 MB"),
    ):
        with pytest.raises(InputError, match=said):
            load(data, timezone="UTC")
    rng = random.Random(5)
    for _ in range(100):
        k = rng.randrange(len(whole))
        survives(zipped(*whole[:k], (whole[k][0], mutated(whole[k][1], rng)), *whole[k + 1 :]), rng)
        survives(mutated(workbook(NOTE), rng), rng)


HALF_HOURS = [k / 10 for k in range(48)]
SIX = np.datetime64("2024-05-04T06:00")


@pytest.mark.parametrize(
    ("data", "format", "unit", "first", "values", "zone"),
    [
        (APPLE, "Apple Health", "bpm", SIX, [61.0, 64.5, 70.0], None),
        (zipped(("apple_health_export/export.xml", APPLE)), "Apple Health", "bpm", SIX, [61.0, 64.5, 70.0], None),
        (FITBIT, "Fitbit", "bpm", np.datetime64("2024-05-04T04:00"), [61.0, 64.0, 70.0], "Europe/Berlin"),
        (nem12("E1"), "NEM12", "kWh", np.datetime64("2024-05-03T14:00"), HALF_HOURS * 2, None),
        (nem12("E1", unit="WH"), "NEM12", "Wh", np.datetime64("2024-05-03T14:00"), HALF_HOURS * 2, None),
        (green(), "Green Button", "Wh", SIX, [10.0 * k + 5 for k in range(8)], None),
    ],
)
def test_exports_are_series(
    data: bytes, format: str, unit: str, first: np.datetime64, values: list[float], zone: str | None
) -> None:
    for series in (load(data, timezone=zone), load_series(data, timezone=zone)):
        assert isinstance(series, Series) and (series.format, series.unit) == (format, unit)
        assert series.time[0] == first and series.values.tolist() == pytest.approx(values)
    if zone:
        with pytest.raises(InputError, match="time zone"):
            load(data)
    assert len(QuiltLab(data).session.data) == len(values)


def test_several_meters_are_never_joined() -> None:
    second = (
        '<entry><link rel="self" href="U/1/MeterReading/2"/><link rel="related" href="ReadingType/2"/>'
        "<content><e:MeterReading/></content></entry>"
    )
    kind = (
        '<entry><link rel="self" href="ReadingType/2"/><content><e:ReadingType><e:flowDirection>19</e:flowDirection>'
        "<e:uom>72</e:uom></e:ReadingType></content></entry>"
    )
    feed = green(second, kind)
    block = feed[feed.index(b'<entry><link rel="self" href="U/1/MeterReading/1/IntervalBlock') : feed.index(b"</feed>")]
    feed = feed.replace(b"</feed>", block.replace(b"MeterReading/1", b"MeterReading/2") + b"</feed>")
    watches = APPLE.replace(b"Ada&#39;s Watch", b"Phone", 1) + b""
    for data, one, total in (
        (nem12("E1", "B1"), "6305000000 B1", sum(HALF_HOURS) * 2),
        (feed, "2 delivered Wh", sum(range(50, 850, 100))),
        (watches, "Ada's Watch", 134.5),
    ):
        with pytest.raises(InputError) as caught:
            load(data)
        assert caught.value.kind == "people" and one in [offer[1].get("person") for offer in caught.value.offers]
        assert load(data, person=one).values.sum() == pytest.approx(total)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (APPLE.replace(b"</HealthData>", b""), "must be complete"),
        (APPLE.replace(b"HeartRate", b"Other"), "must contain heart rate; got none"),
        (FITBIT[:-1], "to its end"),
        (FITBIT.replace(b'{"bpm" : 64,', b'{"beats" : 64,'), "in each entry"),
        (nem12("E1").replace(b"20240504", b"20241304"), "Line 3 of NEM12 must have a day"),
        (nem12("E1").replace(b",30,20240610", b",7,20240610"), "Line 3 of NEM12"),
        (nem12(), "NEM12 must contain energy; got none"),
        (green().replace(b"IntervalReading", b"Other"), "Green Button must contain usage; got none"),
        (
            green().replace(b"<e:uom>", b"<e:accumulationBehaviour>1</e:accumulationBehaviour><e:uom>"),
            "values of intervals",
        ),
        (b'<!DOCTYPE feed [<!ENTITY a "b">]>' + green()[21:], "must not declare"),
        (IGC.replace(b"HFDTEDATE", b"HFXXX\nHFDTE"), "the day of its flight"),
        (IGC.replace(b"040524", b"410524"), "a day that does not exist"),
        (IGC[:40], "fixes (B records)"),
    ],
    ids=range(13),
)
def test_exports_that_are_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        load(data)
    assert sentence in str(caught.value)


def test_a_flight_over_midnight() -> None:
    flight = load(IGC)
    assert flight.format == "IGC" and "1 fix that cannot be read was left out." in flight.notices
    assert flight.time.astype("datetime64[m]").astype(str).tolist() == ["2024-05-04T23:58", "2024-05-05T00:03"]
    assert flight.latitude.tolist() == pytest.approx([48.2, -48.202]) and flight.longitude.tolist() == pytest.approx(
        [11.5, -11.503]
    )
    wrong = IGC.replace(b"B235800", b"B995800")
    with pytest.raises(InputError) as caught:
        load(wrong)
    assert list(caught.value.rows) == [(4, "there is no such time of day")]


def test_animals_of_movebank_are_asked_about() -> None:
    head = b"event-id,visible,timestamp,location-long,location-lat,individual-local-identifier\n"
    rows = [f"{k},true,2024-05-04 06:0{k}:00.000,{11 + k % 2},{48 + k % 2},{'ab'[k % 2]}\n" for k in range(8)]
    data = head + "".join(rows).encode()
    with pytest.raises(InputError) as caught:
        load(data, timezone="UTC")
    assert caught.value.kind == "people"
    assert load(data, timezone="UTC", person="a").latitude.tolist() == [48.0] * 4


WHOLE = (
    APPLE,
    FITBIT,
    nem12("E1", "B1", days=1),
    green(),
    IGC,
    zipped(("a.csv", CSV), ("b.txt", b"")),
    gzip.compress(nem12("E1"), mtime=0),
)


@pytest.mark.parametrize("count", [60, pytest.param(300, marks=pytest.mark.nightly)])
def test_damaged_files_get_a_sentence(count: int) -> None:
    rng, loaded = random.Random(count), 0
    for _ in range(count):
        data = mutated(rng.choice(WHOLE), rng)
        survives(data, rng)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                loaded += len(load(data, timezone="UTC", accept=True)) > 0
            except InputError as error:
                assert 10 < len(str(error)) < 1500
    assert 0.05 * count < loaded < 0.95 * count
