import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface PackageParts {
  isPackaged: boolean
  platform: NodeJS.Platform
  isAppImage: boolean
  /** The app's resources, where electron-builder names the package of a Linux system. */
  resources: string
}

/** How the app was installed: `development`, `nsis`, `app`, `AppImage`, `deb`, or `unpacked` if nothing installed it. */
export async function readPackageType({
  isPackaged,
  platform,
  isAppImage,
  resources,
}: PackageParts): Promise<string> {
  if (!isPackaged) return 'development'
  if (platform === 'win32') return 'nsis'
  if (platform === 'darwin') return 'app'
  if (isAppImage) return 'AppImage'
  const type = await readFile(join(resources, 'package-type'), 'utf8').catch(() => '')
  return type.trim() || 'unpacked'
}
