"""What `lmdk site` writes: an archive that runs without widgets and threads, Python by its hash, nothing of other hosts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from lmdk_widgets.cli import main
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.site import distribution
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


def test_python_comes_by_the_hash_of_its_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in distribution.CORE:
        (tmp_path / name).write_bytes(b"x")
    lock = {"info": {"python": "3.14"}, "packages": {"numpy": {"name": "numpy", "version": "2", "file_name": "n.whl"}}}
    lock["packages"]["numpy"]["sha256"] = "921f23a2cde0232b166f76d81b2765015980965fcd43eb88c784c63e2d1d788a"
    (tmp_path / distribution.LOCK).write_text(json.dumps(lock))
    (tmp_path / distribution.ABOUT).write_text('{"version": "1.2.3"}')
    asked = []

    def unreachable(url: str, timeout: float) -> None:
        asked.append(url)
        raise OSError

    monkeypatch.setattr(distribution.urllib.request, "urlopen", unreachable)
    with pytest.raises(
        InputError, match=r"The file n\.whl must be available.*put it into a folder and name that with --pyodide"
    ):
        distribution.gather(tmp_path)
    assert asked == ["https://cdn.jsdelivr.net/pyodide/v1.2.3/full/n.whl"]
    (tmp_path / "n.whl").write_bytes(b"other")
    with pytest.raises(InputError, match="must have the SHA-256 hash in Pyodide's lock"):
        distribution.gather(tmp_path)
    (tmp_path / "n.whl").write_bytes(b"numpy for browsers")
    found = distribution.gather(tmp_path)
    assert distribution.packages(found) == ["numpy"] and b"Pyodide 1.2.3" in found["NOTICE.txt"]
    # HiGHS by itself or inside SciPy, whichever is there, and not both
    for name in ("scipy", "highspy"):
        data = name.encode()
        entry = {"name": name, "version": "1", "file_name": f"{name}.whl", "sha256": sha256(data).hexdigest()}
        lock["packages"][name] = entry
        (tmp_path / f"{name}.whl").write_bytes(data)
        (tmp_path / distribution.LOCK).write_text(json.dumps(lock))
        assert distribution.packages(distribution.gather(tmp_path)) == ["numpy", name]


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
