// Two texts compared word by word.
import { html } from "../../preact.js";

const MAX_WORDS = 400;

// wordsOf("It sank, twice.") → ["it", "sank", "twice"]
export const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

// Whether two texts have enough in common for marks to help: a third of the words of the longer one.
export function comparable(text, other) {
  const [own, theirs] = [wordsOf(text), new Set(wordsOf(other))];
  const longer = Math.max(own.length, wordsOf(other).length);
  return longer > 0 && longer <= MAX_WORDS && own.filter((word) => theirs.has(word)).length * 3 >= longer;
}

// The text, with the words in <mark> that the other text does not have in this order.
export function markedWords(text, other) {
  const parts = text.split(/(\s+)/);
  const words = parts.filter((_, at) => at % 2 === 0);
  const kept = common(words, other.split(/\s+/));
  return parts.map((part, at) => (at % 2 === 0 && part && !kept.has(at / 2) ? html`<mark key=${at}>${part}</mark>` : part));
}

// The places in `first` of a longest common subsequence.
function common(first, second) {
  const length = Array.from({ length: first.length + 1 }, () => new Uint16Array(second.length + 1));
  for (let i = first.length - 1; i >= 0; i -= 1) {
    for (let j = second.length - 1; j >= 0; j -= 1) {
      length[i][j] = first[i] === second[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
    }
  }
  const kept = new Set();
  for (let i = 0, j = 0; i < first.length && j < second.length; ) {
    if (first[i] === second[j]) {
      kept.add(i);
      i += 1;
      j += 1;
    } else if (length[i + 1][j] >= length[i][j + 1]) i += 1;
    else j += 1;
  }
  return kept;
}
