import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What electron-builder writes into the root of an AppImage (AppImageTarget.js, LinuxTargetHelper.js). */
export const IMAGE_ENTRY = `[Desktop Entry]
Name=Vignette
Exec=AppRun %U
Terminal=false
Type=Application
Icon=vignette
StartupWMClass=app.vignette
X-AppImage-Version=0.1.0
Actions=NewPost;Messages;
Comment=A photo-sharing app for the desktop
MimeType=image/jpeg;x-scheme-handler/vignette;
Categories=Graphics;Photography;Network;

[Desktop Action NewPost]
Name=New Post
Exec=/opt/Vignette/vignette vignette://create

[Desktop Action Messages]
Name=Messages
Exec=/opt/Vignette/vignette vignette://messages
`

/** Writes the mounted content of an AppImage. */
export async function writeImageContent(content: string): Promise<void> {
  for (const size of ['16x16', '512x512']) {
    const icons = join(content, 'usr', 'share', 'icons', 'hicolor', size, 'apps')
    await mkdir(icons, { recursive: true })
    await writeFile(join(icons, 'vignette.png'), `the icon of ${size}`)
  }
  await writeFile(join(content, 'app.vignette.desktop'), IMAGE_ENTRY)
}
