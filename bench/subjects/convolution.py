"""One item of the convolution pool against SciPy, on one thread."""

from kit import debian, jmh, processes
from kit.processes import Failed
from kit.report import Row, Section, median, not_measured, ratio_of

ROUNDS = 3
CALLS = 30
KEPT = ("kept outputs only, as the workers compute", 30)
FULL = ("the full convolution, then every fifth row and column", 6)
CLOSE_ENOUGH = 1e-12


def measure(setting):
    title = "Convolution, per item"
    how = (
        "A 1024² image of doubles, a 4x4 filter, `convolve2d(image, filter)[::5, ::5]`; one thread."
        " JMH and SciPy in turn; results compared with SciPy's to 1e-12."
    )
    rows = []
    why = debian.missing("scipy")
    if why:
        rows = [not_measured(what, why, f"≥ {least} x") for what, least in (KEPT, FULL)]
        return Section(title, how, rows)
    folder = setting.folder("convolution")
    processes.run(
        [setting.java, *setting.main("ConvolutionFixtureWriter", setting.dist / "job-worker.jar"), folder]
    )
    worker = setting.flags(1, archives=False)["worker"]
    ours = {"kept": [], "full": []}
    scipy = []
    for number in range(1, ROUNDS + 1):
        for result in jmh.run(setting, "ConvolutionBenchmark", f"convolution-{number}", worker):
            ours[jmh.short_name(result)].append(median(jmh.iterations(result)) / 1000)
        peer = debian.run_peer(
            setting,
            "convolution_peer.py",
            [folder, CALLS],
            setting.environment(OMP_NUM_THREADS=1, OPENBLAS_NUM_THREADS=1),
        )
        if peer["difference"] > CLOSE_ENOUGH:
            raise Failed(f"results differ from SciPy's by {peer['difference']}")
        scipy.append(median(peer["seconds"]) * 1000)
        setting.say(
            f"convolution: round {number}/{ROUNDS}: kept {ours['kept'][-1]:.3f} ms,"
            f" full {ours['full'][-1]:.2f} ms, SciPy {scipy[-1]:.1f} ms"
        )
    for key, (what, least) in (("kept", KEPT), ("full", FULL)):
        times = ratio_of(scipy, ours[key])
        rows.append(
            Row(
                what,
                f"{median(ours[key]):.2f} ms",
                f"SciPy {peer['version']}: {median(scipy):.1f} ms",
                f"{times:.1f} x faster",
                f"≥ {least} x",
                times >= least,
                {"milliseconds": ours[key], "scipy_milliseconds": scipy},
            )
        )
    return Section(title, how, rows)
