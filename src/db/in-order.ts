/**
 * The answers to statements of one transaction that were sent in one write. Fails as the first of them that fails: those
 * after it only say that the transaction is over, and may be heard sooner.
 */
export async function inOrder<Answers extends readonly unknown[] | []>(
  answers: Answers,
): Promise<{ -readonly [Place in keyof Answers]: Awaited<Answers[Place]> }> {
  for (const answer of await Promise.allSettled(answers))
    if (answer.status === 'rejected') throw answer.reason;
  return Promise.all(answers);
}
