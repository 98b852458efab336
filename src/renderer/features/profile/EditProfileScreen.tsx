import { BackBar } from '#/renderer/components/BackBar'
import { texts } from '#/renderer/lib/texts'

/** /edit-profile: its frame. */
export function EditProfileScreen() {
  return (
    <main id="content" className="mx-auto max-w-150 px-4 pt-7 pb-16">
      <BackBar title={texts.editProfile.title} />
    </main>
  )
}
