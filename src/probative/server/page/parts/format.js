// Numbers, times and costs in words.

export const count = (number, one, many = `${one}s`) => `${whole(number)} ${number === 1 ? one : many}`;
export const whole = (number) => Math.round(number).toLocaleString("en");

// percent(0.6) → "60%", percent(0.596, 1) → "59.6%"; a half goes to the even number, as in Python, which writes reports
export function percent(share, digits = 0) {
  const number = share * 100;
  const steps = number * 10 ** digits;
  return `${(Math.abs(steps % 1) === 0.5 ? (2 * Math.round(steps / 2)) / 10 ** digits : number).toFixed(digits)}%`;
}

// bytes(900) → "900 bytes", bytes(1_234_000) → "1.2 MB"
export function bytes(number) {
  if (number < 1_000) return count(number, "byte");
  const [size, unit] = number < 1_000_000 ? [number / 1_000, "kB"] : number < 1_000_000_000 ? [number / 1_000_000, "MB"] : [number / 1_000_000_000, "GB"];
  return `${size < 10 ? size.toFixed(1) : whole(size)} ${unit}`;
}

// seconds(0.04) → "40 ms", seconds(6.6) → "6.6 s", seconds(125) → "2 min 5 s"
export function seconds(number) {
  if (number < 1) return `${Math.round(number * 1000)} ms`;
  if (number < 60) return `${number.toFixed(1)} s`;
  return `${Math.floor(number / 60)} min ${Math.round(number % 60)} s`;
}

// clockTime(6.6) → "6 s": a time that goes on
export const clockTime = (number) => (number < 60 ? `${Math.floor(number)} s` : `${Math.floor(number / 60)} min ${Math.floor(number % 60)} s`);

// "26 model calls (96 answered from the response cache), 59,840 tokens, 24.2 s"
export function cost(usage) {
  if (!usage) return "";
  const tokens = usage.prompt_tokens + usage.completion_tokens + usage.scored_tokens;
  const cached = usage.cached ? ` (${whole(usage.cached)} answered from the response cache)` : "";
  return `${count(usage.calls, "model call")}${cached}, ${count(tokens, "token")}, ${seconds(usage.seconds)}`;
}

// A time of the server ("2026-11-16T23:00:00Z") as the reader writes it.
export function when(iso) {
  return iso ? new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "";
}
