/** `mapper_version` of records that no mapper has made: only we have them, and no platform is asked about them. */
export const LOCAL_VERSION = 0;
