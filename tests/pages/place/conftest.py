"""As in `tests/geoind`, the tests wait for the machine code that users run: HiGHS, which answers before, has no incumbents
on so few cells, and other last digits."""

from tests.geoind.conftest import machine_code as machine_code
