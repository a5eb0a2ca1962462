/** Whether a JSON value holds more than `most` objects; stops counting there. */
export function hasMoreObjects(value: unknown, most: number): boolean {
  let objects = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one !== 'object' || one === null) continue;
    if (!Array.isArray(one) && (objects += 1) > most) return true;
    for (const inner of Object.values(one)) if (typeof inner === 'object') waiting.push(inner);
  }
  return false;
}
