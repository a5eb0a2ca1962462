/** The parts of a street before and after its locality: on reading, the street includes it. */
export function aroundLocality(
  street: string,
  locality: string,
): { readonly before: string; readonly behind: string } {
  const [lines, line] = [`, ${street}, `, `, ${locality}, `];
  const at = locality === '' ? -1 : lines.indexOf(line);
  if (at === -1) return { before: street, behind: '' };
  return { before: lines.slice(2, at), behind: lines.slice(at + line.length, -2) };
}
