/**
 * What the app writes into a video, as WebCodecs names it: codecs that every Chromium plays, also without a hardware decoder, with 8 bits
 * and 4:2:0. The profiles of H.264 are Baseline, Main, Extended and High (ITU-T H.264, annex A), those of VP9 and AV1 their first.
 */
const PLAYED_EVERYWHERE = [/^avc[13]\.(42|4d|58|64)/i, /^vp09\.00\.\d\d\.08/, /^av01\.0\.\d\d[MH]\.08/]

/** Whether every reader can play pictures in this codec; false if it is unknown. */
export function isPlayedEverywhere(codec: string | null): boolean {
  return codec !== null && PLAYED_EVERYWHERE.some((pattern) => pattern.test(codec))
}
