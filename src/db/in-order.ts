/**
 * Awaits statements of one transaction that were sent in one write. Rejects with the error of the first failing one:
 * later ones only report the aborted transaction, and may reject sooner.
 */
export async function inOrder<Answers extends readonly unknown[] | []>(
  answers: Answers,
): Promise<{ -readonly [Place in keyof Answers]: Awaited<Answers[Place]> }> {
  for (const answer of await Promise.allSettled(answers))
    if (answer.status === 'rejected') throw answer.reason;
  return Promise.all(answers);
}
