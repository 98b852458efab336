import { access } from 'node:fs/promises'

/** Whether the file or folder exists and can be reached. Never rejects. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
