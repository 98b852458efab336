import { createLog, type LogLevel } from '#/main/log'

/** A log that records lines as `level line`. */
export function recordingLog() {
  const lines: string[] = []
  return { ...createLog((level: LogLevel, line) => lines.push(`${level} ${line}`)), lines }
}
