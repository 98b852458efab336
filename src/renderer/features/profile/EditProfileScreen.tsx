import { X } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { IconButton } from '#/renderer/components/IconButton'
import { PageSpinner } from '#/renderer/components/Spinner'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { EditProfileForm } from './components/EditProfileForm'
import { useEditableProfileQuery } from './queries'

/** /edit-profile. Shows the form once the profile is loaded. */
export function EditProfileScreen() {
  const navigate = useNavigate()
  const { id } = useMe()
  const { data: profile } = useEditableProfileQuery(id)
  const goBack = () => navigate(-1)
  return (
    <main id="content" className="mx-auto max-w-150 px-4 pt-7 pb-16">
      <div className="mb-5 flex items-center justify-between gap-3">
        <h1 className="font-display text-[27px] leading-tight">{texts.pages.editProfile}</h1>
        <IconButton label={texts.close} onClick={goBack} className="-me-2">
          <X />
        </IconButton>
      </div>
      {profile === undefined ? (
        <PageSpinner />
      ) : (
        <EditProfileForm userId={id} profile={profile} onCancel={goBack} />
      )}
    </main>
  )
}
