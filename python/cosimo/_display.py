"""How results show themselves in a notebook: the outcome, and a small picture of some columns."""
from __future__ import annotations

import html
from typing import Any, List, Tuple

import numpy as np

_COLORS = ("#1f6fb4", "#d1610c", "#2b8a3e", "#8e44ad")
_WIDTH, _HEIGHT = 560, 150
_LOOKED_AT = 64  # columns from which those that move are chosen


def preformatted(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def _finite(numbers: np.ndarray) -> np.ndarray:
    return numbers[np.isfinite(numbers)]


def _moving(results: Any) -> List[Tuple[str, np.ndarray]]:
    """The columns of motion that change most, at most four; whatever there is in a result without motion."""
    names = [name for name in results.names[:_LOOKED_AT] if not name.startswith("der(")]
    found = []
    for name in names:
        numbers = np.asarray(results[name])
        if len(_finite(numbers)) > 1:
            found.append((float(np.ptp(_finite(numbers))), name, numbers))
    found.sort(key=lambda each: -each[0])
    return [(name, numbers) for _, name, numbers in found[: len(_COLORS)]]


def _path(t: np.ndarray, numbers: np.ndarray, low: float, high: float) -> str:
    """A polyline in which extremes are kept: per column of pixels the least and the greatest."""
    n = min(len(t), len(numbers))
    t, numbers = t[:n], numbers[:n]
    if n > 2 * _WIDTH:
        edges = np.linspace(0, n, _WIDTH + 1).astype(int)
        chosen = []
        for a, b in zip(edges[:-1], edges[1:]):
            part = numbers[a:b]
            chosen.extend(sorted((a + int(np.argmin(part)), a + int(np.argmax(part)))))
        t, numbers = t[chosen], numbers[chosen]
    span = (t[-1] - t[0]) or 1.0
    x = (t - t[0]) / span * _WIDTH
    y = _HEIGHT - (numbers - low) / ((high - low) or 1.0) * _HEIGHT
    good = np.isfinite(y)
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x[good], y[good]))


def curves(results: Any) -> str:
    """An SVG of the columns that move most; empty where there is nothing to draw."""
    t = np.asarray(results.time)
    chosen = _moving(results) if len(t) > 1 else []
    if not chosen:
        return ""
    low = min(float(_finite(numbers).min()) for _, numbers in chosen)
    high = max(float(_finite(numbers).max()) for _, numbers in chosen)
    lines = [f'<svg viewBox="-4 -4 {_WIDTH + 8} {_HEIGHT + 40}" width="{_WIDTH + 8}" role="img" '
             'font-family="sans-serif" font-size="11" style="max-width:100%">',
             f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#bbb"/>']
    for color, (name, numbers) in zip(_COLORS, chosen):
        lines.append(f'<polyline points="{_path(t, numbers, low, high)}" fill="none" stroke="{color}"/>')
    for place, (color, (name, _)) in enumerate(zip(_COLORS, chosen)):
        lines.append(f'<text x="{4 + place * _WIDTH // len(_COLORS)}" y="{_HEIGHT + 30}" fill="{color}">'
                     f"{html.escape(name)}</text>")
    lines.append(f'<text x="0" y="{_HEIGHT + 14}" fill="#666">t = {t[0]:.4g}</text>')
    lines.append(f'<text x="{_WIDTH}" y="{_HEIGHT + 14}" fill="#666" text-anchor="end">{t[-1]:.4g}</text>')
    lines.append(f'<text x="{_WIDTH - 4}" y="12" fill="#666" text-anchor="end">{low:.4g} … {high:.4g}</text></svg>')
    return "".join(lines)


def result(results: Any) -> str:
    """Never a picture alone: how the run ended comes first."""
    good = results.ok
    color, word = ("#2b8a3e", "ok") if good else ("#c92a2a", html.escape(results.message))
    summary = results.summary
    more = []
    if summary:
        more.append(f"{summary.get('bodies', 0)} bodies in {summary.get('parts', 1)} parts")
        if summary.get("macro_steps"):
            more.append(f"{summary['macro_steps']} macro steps, {summary.get('rejected_steps', 0)} rejected")
        more.append(f"{summary.get('wall_s', 0):.3g} s")
    more.append(f"{len(results)} columns, {len(results.time)} rows")
    return (f'<div><b style="color:{color}">{word}</b> · {html.escape(" · ".join(more))}<br>'
            f"{curves(results)}</div>")
