/** `mapper_version` of records that no mapper has made: they exist only here, and no platform is asked about them. */
export const LOCAL_VERSION = 0;
