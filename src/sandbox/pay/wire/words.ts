/** Terms of Pay for values of the generated world. */
export type Words = Readonly<Record<string, string>>;

/** The id of an object of the generated world, in the format of Pay. */
export type IdOf = (prefix: string, id: string) => string;
