import { texts } from '#/renderer/lib/texts'

/** In this order: most user agents also contain the names further down. */
const PROGRAMS: [RegExp, string][] = [
  [/\bElectron\//, texts.settings.security.desktopApp],
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

function findName(table: [RegExp, string][], userAgent: string): string | null {
  return table.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
}

/** A readable name: `Vignette app on macOS`, `Firefox on Windows`. */
export function deviceName(userAgent: string | null): string {
  const program = findName(PROGRAMS, userAgent ?? '')
  const system = findName(SYSTEMS, userAgent ?? '')
  if (program === null) return system ?? texts.settings.security.unknownDevice
  return system === null ? program : texts.settings.security.programOn(program, system)
}

/** The id of a section of the settings, also for links to it: `/settings#privacy`. */
export function sectionId(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z]+/g, '-')
}
