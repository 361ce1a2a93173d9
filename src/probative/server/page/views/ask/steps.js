// The steps of the trace in words; see the asks of probative.scope.
export const STEPS = {
  retrieve: "Searching the documents",
  retrieval: "Searching the documents",
  features: "Reading the question",
  judgement: "Finding what each passage carries",
  strength: "Finding what each passage carries",
  evidence: "Choosing the chain of evidence",
  answer: "Reading the answer from the chain",
  answerable: "Reading the answer from the chain",
  values: "Reading the values to compare",
  "second reading": "Reading a second time",
  reason: "Reading the answer from the chain",
  verdict: "Checking that the sentences entail the answer",
  conflicts: "Looking for passages that say something else",
};
