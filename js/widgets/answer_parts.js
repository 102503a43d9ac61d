// @ts-check
// The two parts of an answer on a phone: its beginning in large type, and the rest in the type of the text.

/** Maximum number of characters of an answer in large type: three lines on a phone. */
const MOST_LARGE = 76;

/** Ends of clauses: a mark before a space, or a dash between spaces. */
const CLAUSE_ENDS = /[.:;,?](?= )|(?= – )/g;

/**
 * Return the beginning of an answer, which ends with a clause, and the rest; a short answer has no rest.
 *
 * @param {string} answer
 * @returns {[large: string, rest: string]}
 */
export const answerParts = (answer) => {
  if (answer.length <= MOST_LARGE) return [answer, ""];
  const ends = [...answer.matchAll(CLAUSE_ENDS)].map(({ index, 0: mark }) => index + mark.length);
  const end = ends.filter((one) => one <= MOST_LARGE).pop() ?? ends[0] ?? answer.length;
  return [answer.slice(0, end), answer.slice(end)];
};
