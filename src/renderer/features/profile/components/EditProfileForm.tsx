import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { DiscardChanges } from '#/renderer/components/DiscardChanges'
import { Field } from '#/renderer/components/Field'
import { TextArea } from '#/renderer/components/TextArea'
import { UsernameField, useMe } from '#/renderer/features/auth'
import { focusPageIfLost } from '#/renderer/lib/browser/lost-focus-store'
import { exceeds } from '#/renderer/lib/content/rich-text'
import { type AppError, toAppError } from '#/renderer/lib/core/errors'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'
import {
  checkProfile,
  checkWebsite,
  type EditableProfile,
  type NewPicture,
  PROFILE_EDIT,
  type ProfileErrors,
  type ProfileTexts,
  profileEdits,
  textsOf,
} from '../model'
import { useSaveProfileMutation } from '../mutations'
import { withScheme } from '../website'
import { PhotoField } from './PhotoField'

interface EditProfileFormProps {
  userId: string
  /** The profile when the form was opened; later changes do not overwrite the fields. */
  profile: EditableProfile
  onCancel: () => void
}

/** Unsaved changes are kept until they are saved or discarded. */
export function EditProfileForm({ userId, profile, onCancel }: EditProfileFormProps) {
  const navigate = useNavigate()
  const [before, setBefore] = useState(profile)
  const [stored, setStored] = useState(() => textsOf(profile))
  const [picture, setPicture] = useState<NewPicture>()
  const draft = profileEdits.use(userId, PROFILE_EDIT, stored)
  const { values } = draft
  const isChanged = draft.isChanged || picture !== undefined
  /** The profile must not be saved with the picture that is being replaced. */
  const [isChoosing, setIsChoosing] = useState(false)
  const [errors, setErrors] = useState<ProfileErrors>({})
  const saving = useSaveProfileMutation(userId)
  const failure = saving.error === null ? null : toAppError(saving.error)

  /** Clears the error of a changed field. */
  const change = (patch: Partial<ProfileTexts>) => {
    draft.change(patch)
    if (patch.username !== undefined && failure !== null && isTaken(failure)) saving.reset()
    setErrors((current) => Object.fromEntries(Object.entries(current).filter(([field]) => !(field in patch))))
  }

  const handleDiscard = () => {
    draft.discard()
    setPicture(undefined)
    setErrors({})
    saving.reset()
  }

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (saving.isPending || isChoosing) return
    const found = checkProfile(values, stored)
    setErrors(found)
    if (Object.keys(found).length > 0 || exceeds(values.bio, TEXT_LIMITS.bio)) return
    saving.mutate(
      { typed: values, picture, oldPath: before.avatar_path },
      {
        onSuccess: ({ username, avatar_url, avatar_path }, { typed }) => {
          if (profileEdits.hasChanges(userId, PROFILE_EDIT)) {
            // What was typed meanwhile belongs to the next save.
            setStored(typed)
            if (picture !== undefined)
              setBefore({ ...before, avatar_url: avatar_url ?? null, avatar_path: avatar_path ?? null })
            setPicture(undefined)
            return
          }
          // Replace the form in the history, so that Back leads to the page before it.
          void navigate(`/profile/${username}`, { replace: true })
          focusPageIfLost()
        },
        onError: (cause) => {
          if (isTaken(toAppError(cause))) setErrors({ username: texts.auth.usernameTaken })
        },
      },
    )
  }

  const handleWebsiteBlur = () => {
    const website = withScheme(values.website)
    change({ website })
    setErrors((current) => ({ ...current, ...checkWebsite(website, stored.website) }))
  }

  return (
    <form
      onSubmit={handleSubmit}
      noValidate
      className="grid gap-4.5 rounded-lg border border-line bg-raised p-5 shadow-card sm:p-6"
    >
      {failure !== null && <Alert>{describeFailure(failure)}</Alert>}
      <PhotoField
        profile={before}
        picture={picture}
        onChange={setPicture}
        onChoosing={setIsChoosing}
        isLocked={saving.isPending}
      />
      <UsernameField
        value={values.username}
        {...(values.username !== stored.username && { hint: texts.editProfile.formerUsernames })}
        onChange={(username) => change({ username })}
        error={errors.username ?? null}
      />
      <Field
        label={texts.editProfile.fullName}
        error={errors.fullName ?? null}
        name="name"
        autoComplete="name"
        value={values.fullName}
        data-limit={TEXT_LIMITS.fullName}
        onChange={(event) => change({ fullName: event.target.value })}
        dir="auto"
      />
      <BioField value={values.bio} onChange={(bio) => change({ bio })} />
      <Field
        label={texts.editProfile.website}
        placeholder={texts.editProfile.websitePlaceholder}
        error={errors.website ?? null}
        type="url"
        name="url"
        autoComplete="url"
        value={values.website}
        data-limit={TEXT_LIMITS.website}
        onChange={(event) => change({ website: event.target.value })}
        onBlur={handleWebsiteBlur}
        spellCheck={false}
      />
      <div className="mt-1 flex flex-wrap justify-end gap-2.5">
        {isChanged && <DiscardChanges onDiscard={handleDiscard} isLocked={saving.isPending} />}
        <Button onClick={onCancel}>{texts.cancel}</Button>
        <Button variant="primary" type="submit" disabled={saving.isPending || isChoosing}>
          {saving.isPending ? texts.editProfile.saving : texts.editProfile.save}
        </Button>
      </div>
    </form>
  )
}

/** The username is the only unique column. */
function isTaken({ code }: AppError): boolean {
  return code === 'conflict'
}

/** The text of the banner. The server names a constraint when a username is taken. */
function describeFailure(failure: AppError): string {
  if (isTaken(failure)) return texts.auth.usernameTaken
  return failure.message || texts.editProfile.failed
}

interface BioFieldProps {
  value: string
  onChange: (value: string) => void
}

export function BioField({ value, onChange }: BioFieldProps) {
  const { id: me } = useMe()
  return (
    <TextArea
      me={me}
      label={texts.editProfile.bio}
      rows={3}
      placeholder={texts.editProfile.bioPlaceholder}
      value={value}
      limit={TEXT_LIMITS.bio}
      onText={onChange}
      className="max-h-60 min-h-23"
    />
  )
}
