/** What Pay calls what the made-up world has. */
export type Words = Readonly<Record<string, string>>;

/** The id of an object of the made-up world, as Pay writes ids. */
export type IdOf = (prefix: string, id: string) => string;
