"""As in `tests/geoind`, the tests wait for the machine code that users run."""

from tests.geoind.conftest import machine_code as machine_code
