/** False in builds made with VIGNETTE_HEVC=off, which have no decoder of HEVC (docs/decisions/0070-photo-formats.md). */
declare const __HEVC__: boolean | undefined

/** Whether this build reads HEIC photos. */
export const READS_HEIC = typeof __HEVC__ === 'undefined' || __HEVC__
