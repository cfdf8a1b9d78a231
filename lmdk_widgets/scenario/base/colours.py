"""The colours of every chart: a palette that colour-blind people can tell apart, and a grey."""

BLUE, ORANGE, GREEN, PURPLE, SKY, GREY = "#2b8cc4", "#e08a00", "#009e73", "#b0508f", "#56b4e9", "#7f8a96"
