"""Make .venv ready: checked Python, torch first, then the package. Only the standard library, and syntax any Python reads."""

import errno
import hashlib
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(HERE, ".venv")
STAMP = os.path.join(VENV, ".ready")
TORCH = "torch==2.13.0"  # exactly this: a looser request downloads gigabytes of CUDA
PACKAGE = ".[train,web,hf,data,dev]"
OLDEST = (3, 11)
SPARE = 20 * 2**20  # bytes; with less than this left, a failure is a full disk's
INTERRUPTED = 130

NO_ENSUREPIP = (
    "This Python cannot make virtual environments (no ensurepip). On Debian or Ubuntu: apt-get install python3-venv; "
    "elsewhere install Python from its maker. Then run the same command again."
)
DISK_FULL = "The disk is full. Free about 3 GB, then run the same command again; what is installed stays."


def main():
    require_python(sys.version_info, sys.executable)
    require_ensurepip()
    try:
        if not unchanged():
            set_up()
        write_stamp()
    except KeyboardInterrupt:
        say("")
        stop("Stopped. Run the same command again: it mends what is half done.", INTERRUPTED)
    except (OSError, shutil.Error) as error:
        full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        stop(
            DISK_FULL
            if full
            else "Could not write {}: {}. Put that right, then run the same command again.".format(VENV, error)
        )


def set_up():
    make_venv()
    install_all()
    if not starts():
        say("What is installed does not start, as after an interrupted set-up; making .venv again.")
        remove(VENV)
        make_venv()
        install_all()
        if not starts(show=True):
            stop("All is installed, but Python cannot import it; its own words are above. Put that right, then run again.")


def require_python(version, executable):
    if tuple(version[:2]) < OLDEST:
        stop(
            "Clearhead needs Python {}.{} or newer, and {} is {}.{}. "
            "Install a newer one, then name it: make PYTHON=python3.12 run".format(
                OLDEST[0], OLDEST[1], executable, version[0], version[1]
            )
        )


def require_ensurepip():
    try:
        import ensurepip  # noqa: F401  (only its presence matters)
        import venv  # noqa: F401
    except ImportError:
        stop(NO_ENSUREPIP)


def unchanged():
    """Whether all is there, and only the dates of the files moved, as a checkout does."""
    try:
        with open(STAMP) as stamp:
            return fingerprint() in stamp.read() and works(VENV)
    except (IOError, OSError):
        return False


def write_stamp():
    with open(STAMP, "w") as stamp:
        stamp.write("set up by tools/setup.py; remove this file to set up again\n" + fingerprint() + "\n")


def fingerprint():
    """What the set-up depends on: this file, the dependencies, and where the tree stands."""
    digest = hashlib.sha256(HERE.encode("utf-8"))
    for name in ("pyproject.toml", os.path.join("tools", "setup.py")):
        with open(os.path.join(HERE, name), "rb") as source:
            digest.update(source.read())
    return digest.hexdigest()


def make_venv():
    if os.path.lexists(VENV) and not works(VENV):
        say("A half-made .venv is here; making it again.")
        remove(VENV)
    if not os.path.exists(VENV):
        say("Making .venv ...")
        done = called([sys.executable, "-m", "venv", VENV])
        if done.returncode != 0:
            sys.stderr.write(done.stdout + done.stderr)
            stop(venv_advice(done.stdout + done.stderr))


def remove(path):
    if os.path.islink(path) or os.path.isfile(path):
        os.remove(path)
    else:
        shutil.rmtree(path)


def works(venv):
    """A .venv works if its own Python is new enough and has pip."""
    check = "import pip, sys; sys.exit(sys.version_info < {!r})".format(OLDEST)
    return succeeds([python_of(venv), "-c", check])


def starts(show=False):
    """Whether what was installed can be imported: the package, and the largest things under it."""
    return succeeds([python_of(VENV), "-c", "import clearhead.cli, jinja2, numpy, pytest, torch"], show)


def python_of(venv):
    return os.path.join(venv, "bin", "python")


def install_all():
    say("Installing {} (the largest piece: some minutes on a slow line) ...".format(TORCH))
    install([TORCH])
    say("Installing clearhead and what it needs ...")
    install(["-e", PACKAGE])


def install(wanted):
    command = [python_of(VENV), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command.extend(wanted)
    done = called(command)
    if done.returncode != 0:
        sys.stderr.write(without_warnings(done.stderr))
        stop(pip_advice(done.stderr, wanted[-1]))


def without_warnings(said):
    """pip's own words but for the long warnings of each retry."""
    return "".join(line for line in said.splitlines(True) if not line.lstrip().startswith("WARNING: "))


def called(command):
    # pip's own five retries would make the sentence about the network come late; in the environment, builds inherit it.
    env = dict({"PIP_RETRIES": "2"}, **os.environ)
    return subprocess.run(command, cwd=HERE, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)


def succeeds(command, show=False):
    try:
        done = called(command)
    except OSError:
        return False
    if show:
        sys.stderr.write(done.stderr)
    return done.returncode == 0


def venv_advice(said):
    """The sentence that fits what `python -m venv` complained of."""
    text = said.lower()
    if is_full(text):
        return DISK_FULL
    if "ensurepip" in text:
        return NO_ENSUREPIP
    return (
        "Could not make {}; the words above say why. Is the folder read-only? Mend that and run the same command again.".format(
            VENV
        )
    )


def pip_advice(said, wanted):
    """The sentence that fits what pip complained of."""
    text = said.lower()
    if is_full(text):
        return DISK_FULL
    if "certificate" in text:
        return (
            "Could not fetch {}: the server's certificate is not trusted here. Behind a company's proxy, name its certificate: "
            "export PIP_CERT=/path/to/ca.pem; then run the same command again.".format(wanted)
        )
    if any(sign in text for sign in ("connection", "name resolution", "timed out", "unreachable", "max retries", "proxyerror")):
        return (
            "Could not fetch {}: is there a network? Connect (or point PIP_INDEX_URL or PIP_FIND_LINKS at a mirror), "
            "then run the same command again; what is installed stays.".format(wanted)
        )
    if "no matching distribution" in text:
        return (
            "The package index that pip asks has no {} for Python {}.{} on this machine. Try another Python "
            "(make clean, then make PYTHON=python3.12 run) or another index (PIP_INDEX_URL).".format(
                wanted, sys.version_info[0], sys.version_info[1]
            )
        )
    return "pip could not install {}; its own words are above. Put that right, then run the same command again.".format(wanted)


def is_full(text):
    """Whether the disk is full: by what was said, or, as `python -m venv` does not say it, by what is left."""
    return "no space left" in text or "disk quota exceeded" in text or shutil.disk_usage(HERE).free < SPARE


def say(sentence):
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def stop(sentence, code=2):
    sys.stderr.write("clearhead set-up: " + sentence + "\n")
    sys.exit(code)


if __name__ == "__main__":
    main()
