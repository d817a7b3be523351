// Numbers in words. What is not there is "–", never a zero.

const superscript = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function power(exponent: number): string {
  const digits = String(Math.abs(exponent)).replace(/\d/g, (d) => superscript[Number(d)]);
  return `10${exponent < 0 ? "⁻" : ""}${digits}`;
}

const isNumber = (x: unknown): x is number => typeof x === "number" && Number.isFinite(x);

/// So many significant digits; powers of ten where zeros would pile up.
export function num(x: unknown, digits = 5): string {
  if (!isNumber(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e7 || size < 1e-4) {
    const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
    const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
    if (short === "1" || short === "-1") return `${short === "1" ? "" : "−"}${power(Number(exponent))}`;
    return `${short.replace("-", "−")}·${power(Number(exponent))}`;
  }
  return String(Number(x.toPrecision(digits))).replace("-", "−");
}

/// Thousands apart: 29 358.
export function count(x: unknown): string {
  if (!isNumber(x)) return "–";
  if (!Number.isInteger(x)) return num(x);
  return String(x).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f").replace("-", "−");
}

export const percent = (share: number): string => {
  if (!isNumber(share)) return "–";
  const p = 100 * share;
  if (p !== 0 && p < 0.1) return "< 0.1 %";
  return `${p >= 10 ? p.toFixed(0) : p.toFixed(1)} %`;
};

/// Wall time.
export function seconds(x: unknown): string {
  if (!isNumber(x)) return "–";
  const minutes = Math.round(x / 60);
  if (x >= 3600) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const whole = Math.round(x);
  if (x >= 60) return whole >= 3600 ? "1 h 0 min" : `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (x >= 1 || x === 0) return `${num(x, 4)} s`;
  if (x >= 1e-3) return `${num(1e3 * x, 4)} ms`;
  return `${num(1e6 * x, 4)} µs`;
}

export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;
