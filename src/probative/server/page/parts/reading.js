// Files that are being read, and what is said of those that were: a run must not start without a file that is on its way.
import { html, useEffect } from "../preact.js";
import { announce } from "./announce.js";
import { count } from "./format.js";

// Why a run has to wait for `reading` files, or null: a problem that `useReadingEnd` takes away.
export function stillReading(reading) {
  return reading > 0 ? { message: `${count(reading, "file")} ${reading === 1 ? "is" : "are"} still being read.`, reading } : null;
}

// Take the problem of `stillReading` away when no file has to be waited for any more, and say so.
export function useReadingEnd(reading, problem, setProblem) {
  useEffect(() => {
    if (reading > 0 || !problem?.reading) return;
    setProblem(null);
    announce("You can start now.");
  }, [reading, problem]);
}

// Change a value that counts in `reading` the files on their way.
export const readingMore = (value, files) => ({ ...value, reading: Math.max(0, value.reading + files) });

// Why a file could not be read, with its name once: most messages have it.
export function readingError(file, error) {
  const named = [" ", ":"].some((end) => ` ${error.message} `.includes(` ${file.name}${end}`));
  return { message: named ? error.message : `${file.name}: ${error.message}`, hint: error.hint };
}

// What a reader should know about how a file was read: <${FileNotes} notes=${file.notes} />
export function FileNotes({ notes }) {
  if (!notes?.length) return null;
  return html`<ul class="file-notes">${notes.map((note, index) => html`<li key=${index}>${note}</li>`)}</ul>`;
}
