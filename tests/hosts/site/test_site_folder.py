"""What `lmdk site` writes: an archive that runs without widgets and threads, Python by its hash, nothing of other hosts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.cli import main
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.site import distribution
from tests.get_pyodide import Missing, pyodide
from tests.hosts.site.sites import NONE, write

WITHOUT = (
    *("anywidget", "ipywidgets", "traitlets", "IPython", "numba", "llvmlite", "highspy", "scipy", "pandas", "joblib"),
    *("folium", "plotly", "platformdirs", "pyarrow", "tornado"),
)
ALONE = """
import asyncio, json, sys, threading
archive, pages = sys.argv[1], json.loads(sys.argv[2])
for name in json.loads(sys.argv[3]):
    sys.modules[name] = None
def refused(*given): raise RuntimeError("can't start new thread")
threading.Thread.start = refused
sys.path.insert(0, archive)
import lmdk_widgets
assert lmdk_widgets.__file__.startswith(archive)
from lmdk_widgets.hosts.site.worker import Pages

async def run():
    sent = []
    site = Pages(lambda name, text, buffers: sent.append((name, json.loads(text))))
    for name, (home, kind) in pages.items():
        site.open(name, home, kind)
        site.receive(name, '{"type": "ready", "view": "v"}')
    while any(page._background.busy for page in site._open.values() if hasattr(page, "_background")):
        await asyncio.sleep(0)
    print(json.dumps([[name, m] for name, m in sent if m["type"] == "numbers"]))
asyncio.run(run())
"""


@pytest.mark.nightly
@pytest.mark.slow
def test_the_archive_runs_with_numpy_alone_and_without_a_thread(tmp_path: Path) -> None:
    from lmdk_widgets.hosts.page_list import CAN, OPENED, page_class
    from lmdk_widgets.hosts.site import folder
    from lmdk_widgets.hosts.site.pages import first_state

    archive = tmp_path / "all.zip"
    archive.write_bytes(folder.package())
    assert archive.read_bytes() == folder.package(), "the same package gives the same archive"
    with zipfile.ZipFile(archive) as packed:
        names = packed.namelist()
        packed.extractall(tmp_path / "all")
    assert not any(name.startswith(("lmdk_widgets/hosts/widget", "lmdk_widgets/hosts/serving")) for name in names)
    assert any(name.endswith("zoneinfo/Europe/Paris") for name in names)
    pages = {name: [page_class(name).__module__, page_class(name).__name__] for name in OPENED}
    command = [sys.executable, "-c", ALONE, str(tmp_path / "all"), json.dumps(pages), json.dumps(WITHOUT)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    last = dict(json.loads(done.stdout))
    for name, told in last.items():
        recorded = next(m for m, _ in first_state(name)["messages"] if m["type"] == "numbers")
        assert told["words"] == recorded["words"] and told["choices"] == recorded["choices"], name
    assert set(last) == set(CAN)


CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")


class Web:
    """A network with the files of a small Pyodide; `asked` are the addresses that were asked for."""

    def __init__(self) -> None:
        self.files = {name: name.encode() for name in (*CORE, "numpy.whl", "scipy.whl")}
        self.asked: list[str] = []
        self.out_of_order = False

    def urlopen(self, url: str, timeout: float) -> BytesIO:
        assert timeout > 0
        self.asked.append(url)
        if self.out_of_order or (name := url.rpartition("/")[2]) not in self.files:
            raise OSError
        return BytesIO(self.files[name])

    def known(self) -> dict[str, Any]:
        """What the package stores about these files."""
        hashes = {name: sha256(name.encode()).hexdigest() for name in (*CORE, "numpy.whl", "scipy.whl", "highspy.whl")}
        packages = {
            name: {"name": name, "version": "2", "file_name": f"{name}.whl", "sha256": hashes[f"{name}.whl"]}
            for name in ("numpy", "highspy", "scipy")
        }
        files = {name: hashes[name] for name in CORE}
        return {"version": "1.2.3", "info": {"python": "3.14"}, "files": files, "packages": packages}


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Web:
    found = Web()
    (tmp_path / "known.json").write_text(json.dumps(found.known()))
    monkeypatch.setattr(distribution, "KNOWN", tmp_path / "known.json")
    monkeypatch.setattr(distribution.urllib.request, "urlopen", found.urlopen)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda _: tmp_path / "cache")
    return found


def test_python_is_fetched_once_and_stored(web: Web, tmp_path: Path) -> None:
    """Pyodide as npm has it, packages from the distribution, HiGHS by itself or inside SciPy; the second site asks nobody."""
    found = distribution.gather()
    program, packed = "https://cdn.jsdelivr.net/npm/pyodide@1.2.3/", "https://cdn.jsdelivr.net/pyodide/v1.2.3/full/"
    names = [*(program + name for name in CORE), *(packed + f"{name}.whl" for name in ("numpy", "highspy", "scipy"))]
    assert web.asked == names and distribution.packages(found) == ["numpy", "scipy"]
    assert {name: found[name] for name in CORE} == {name: name.encode() for name in CORE}
    assert json.loads(found[distribution.LOCK])["info"] == {"python": "3.14"}
    said = found["NOTICE.txt"].decode()
    assert "Pyodide 1.2.3" in said and "- CPython 3.14: PSF" in said and "numpy 2 and scipy 2 bring" in said
    web.asked.clear()
    web.out_of_order = True
    assert distribution.gather() == found and web.asked == [packed + "highspy.whl"]  # which this network does not have
    (tmp_path / "cache" / "pyodide" / "1.2.3" / "pyodide.mjs").write_bytes(b"half")  # a disk that was full
    with pytest.raises(InputError, match=r"The file pyodide\.mjs"):
        distribution.gather()
    web.out_of_order = False
    assert distribution.gather() == found


def test_without_a_network_a_sentence_names_what_a_folder_must_have(web: Web, tmp_path: Path) -> None:
    web.out_of_order = True
    told = r"must be available\. It cannot be downloaded now: download it from https://cdn\S+/pyodide\.mjs, or name a folder"
    with pytest.raises(InputError, match=told) as refused:
        distribution.gather()
    given = tmp_path / "given"
    given.mkdir()
    names = re.findall(r"[\w.]+\.(?:mjs|wasm|zip|whl)", str(refused.value).partition("name a folder with ")[2])
    for name in names:
        with pytest.raises(InputError, match=re.escape(f"The file {name} of Pyodide 1.2.3")):
            distribution.gather(given)
        (given / name).write_bytes(name.encode())
    web.asked.clear()
    assert distribution.packages(distribution.gather(given)) == ["numpy"] and not web.asked
    for name in ("scipy", "highspy"):  # by itself where both are there
        (given / f"{name}.whl").write_bytes(f"{name}.whl".encode())
        assert distribution.packages(distribution.gather(given)) == ["numpy", name]


@pytest.mark.parametrize("name", ["pyodide.asm.wasm", "numpy.whl", "highspy.whl"])
def test_a_file_that_is_not_what_is_known_is_refused(web: Web, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"other")
    with pytest.raises(InputError, match=rf"The file {re.escape(name)} must have the SHA-256 hash"):
        distribution.gather(tmp_path)
    web.files[name] = b"other"
    with pytest.raises(InputError, match=rf"The file {re.escape(name)} must have the SHA-256 hash"):
        distribution.gather()
    assert not (tmp_path / "cache" / "pyodide" / "1.2.3" / name).exists()


def test_what_is_known_of_python_has_hashes_and_no_addresses() -> None:
    text = distribution.KNOWN.read_text("utf-8")
    known = json.loads(text)
    assert "://" not in text and set(known["packages"]) == {*distribution.NEEDED, *distribution.WANTED}
    hashes = [*known["files"].values(), *(entry["sha256"] for entry in known["packages"].values())]
    assert tuple(known["files"]) == CORE and all(re.fullmatch("[0-9a-f]{64}", each) for each in hashes)
    lock = (Path(__file__).parents[3] / "frontend" / "package-lock.json").read_text("utf-8")
    assert "pyodide" not in lock, "one place says which version"


MARKS = {
    "CPython": b"Python Software Foundation",
    "Expat": b"expat_2",
    "libmpdec": b"libmpdec",
    "HACL*": b"HACL*",
    "mimalloc": b"mimalloc",
    "BLAKE2": b"_blake2",
    "hiwire": b"hiwire",
    "zlib": b"inflate 1",
    "bzip2": b"libbzip2",
    "liblzma": b"lzma_",
    "Zstandard": b"ZSTD_",
    "xxHash": b"XXH32",
    "SQLite": b"SQLite format 3",
    "libffi": b"ffi_call",
    "libc++abi": b"__cxa_",
}
"""What shows in the machine code that a library is linked into it."""


@pytest.mark.long
def test_notices_name_what_is_linked_into_the_machine_code() -> None:
    notices = (Path(__file__).parents[3] / "NOTICES.md").read_text("utf-8")
    own = " ".join(f"{name}: {licence}" for name, licence in distribution.LINKED.items())
    for name in MARKS:
        assert name in notices and name in own, name
    try:
        code = (pyodide() / "pyodide.asm.wasm").read_bytes()
    except Missing as why:
        pytest.skip(str(why))
    assert [name for name, mark in MARKS.items() if mark not in code] == []
    assert not [name for name in (b"OPENSSL", b"LZ4_", b"BrotliDec", b"uuid_generate") if name in code]


def test_every_link_leads_to_a_file_and_all_files_are_kept(tmp_path: Path) -> None:
    home = write(tmp_path / "site", ("series",), NONE)
    text = (home / "index.html").read_text("utf-8")
    links = re.findall(r'(?:href|src)="(?!data:)([^"]+)"', text)
    assert len(links) > 2 and all((home / link).is_file() for link in links)
    hosts = set(re.findall(r"https?:[^\s;'\"]+", text))
    assert "default-src 'none'" in text and hosts == {"https://tile.openstreetmap.org"}
    names = {path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()}
    kept = json.loads((home / "sw.js").read_text("utf-8").partition(" = ")[2].partition(";\n")[0])["files"]
    assert set(kept) == names - {"sw.js"}
    assert {"static/THIRD_PARTY_NOTICES.txt", "first/series.json", "python/lmdk_widgets.zip"} <= names


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["site", str(tmp_path), "--pages", "none", "--lessons", "none"]) == 2
    assert "The folder of a site must be new or empty" in capsys.readouterr().err
    assert main(["site", str(tmp_path / "x"), "--lessons", "cooking"]) == 2
    assert "The lesson must be" in capsys.readouterr().err and not (tmp_path / "x").exists()
