/** How much bigger than the demo's own a world is. */
export interface Size {
  readonly scale: number;
}

export const DEMO_SIZE: Size = { scale: 1 };

/** So many of a kind, of which the demo has `count`. */
export const many = ({ scale }: Size, count: number): number => Math.round(count * scale);

/** The day of the one at `index`, where the demo's follow each other every `step` days: a bigger world is denser. */
export const spread = ({ scale }: Size, index: number, step: number): number => (index * step) / scale;
