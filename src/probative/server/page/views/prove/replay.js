// The replay of a proof: how many of its sentences are shown, and the clock that goes from one to the next.
import { useEffect, useState } from "../../preact.js";

const PAUSE_MS = 1_600; // long enough to read a sentence

// useReplay(3) → {step, playing, go(step), play(), pause()}; step 0 shows nothing yet, step 3 everything, as at first.
export function useReplay(steps) {
  const [step, setStep] = useState(steps);
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing) return undefined;
    if (step >= steps) return void setPlaying(false);
    const clock = setTimeout(() => setStep(step + 1), step === 0 ? PAUSE_MS / 4 : PAUSE_MS);
    return () => clearTimeout(clock);
  }, [playing, step, steps]);
  const go = (next) => {
    setPlaying(false);
    setStep(Math.min(Math.max(next, 0), steps));
  };
  const play = () => {
    if (step >= steps) setStep(0);
    setPlaying(true);
  };
  return { step, playing, go, play, pause: () => setPlaying(false) };
}
