/** How much larger a world is than the demo. */
export interface Size {
  readonly scale: number;
}

export const DEMO_SIZE: Size = { scale: 1 };

/** The number of objects of a kind, of which the demo has `count`. */
export const many = ({ scale }: Size, count: number): number => Math.round(count * scale);

/** The day of the object at `index`, if the demo has one every `step` days: larger worlds are denser. */
export const spread = ({ scale }: Size, index: number, step: number): number => (index * step) / scale;
