import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Processor time that this process has used on all its threads, in ms. Unlike elapsed time, it hardly depends on what else the machine does. */
export function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Processor time of this process that passes until `work` ends, in ms. */
export async function processorMsOf(work: () => PromiseLike<unknown>): Promise<number> {
  const before = ownProcessorMs()
  await work()
  return ownProcessorMs() - before
}

/** Processor time that another process has used on all its threads, in ms, with a resolution of 10 ms. */
export async function processorMs(pid: number): Promise<number> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // Fields 14 and 15, in hundredths of a second (proc(5)). The second field, the name, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
  if (process.platform === 'win32') {
    const { stdout } = await run('powershell', [
      '-NoProfile',
      '-Command',
      `(Get-Process -Id ${pid}).TotalProcessorTime.Ticks`,
    ])
    return Number(stdout) / 10_000
  }
  const { stdout } = await run('ps', ['-o', 'time=', '-p', String(pid)])
  // [hours:]minutes:seconds
  return stdout.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1_000
}
