"""What tests of the track page share."""

from tests.scenario.conftest import no_reader as no_reader
