/** Whether an update would change a row: an update without effect must not touch `svc_updated_at`. */
export function differs(known: object, change: object): boolean {
  const before = new Map<string, unknown>(Object.entries(known));
  return Object.entries(change).some(([name, value]) => !isSame(before.get(name), value));
}

function isSame(left: unknown, right: unknown): boolean {
  if (left instanceof Date && right instanceof Date) return left.getTime() === right.getTime();
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((one, index) => one === right[index]);
  }
  return left === right;
}
