import { useState } from 'react'
import { LimitedField } from '#/renderer/components/LimitedField'
import { CAMERA_FIELDS } from '#/renderer/lib/content/camera'
import { texts } from '#/renderer/lib/texts'
import { composePhotos as words } from '#/renderer/lib/texts/later/compose-photos'
import { TEXT_LIMITS } from '#/shared/limits'
import { dispatch } from '../composer-store'
import type { DraftPhoto } from '../draft-photo'

interface CameraChipsProps {
  photo: DraftPhoto
  isLocked: boolean
}

/** The camera details in the file of a photo. None is stored unless the member turns it on (CREATE-09). */
export function CameraChips({ photo: { id, camera, shown }, isLocked }: CameraChipsProps) {
  const [isOpen, setIsOpen] = useState(shown.length > 0)
  const found = CAMERA_FIELDS.filter((field) => field !== 'film' && camera[field] !== undefined)
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-sm font-medium text-[13px] text-quiet">
        {texts.post.camera}
      </summary>
      <div className="mt-2 grid gap-3">
        <p className="text-[12.5px] text-quiet">{found.length === 0 ? words.noCamera : words.cameraHint}</p>
        {found.length > 0 && (
          <fieldset disabled={isLocked} className="flex flex-wrap gap-1.5">
            <legend className="sr-only">{words.cameraChips}</legend>
            {found.map((field) => (
              <button
                key={field}
                type="button"
                aria-pressed={shown.includes(field)}
                onClick={() => dispatch({ type: 'photo-detail-toggled', id, field })}
                className={`min-h-7.5 rounded-[15px] border px-3 py-1 text-start text-[13px] leading-snug transition-colors duration-150 ${shown.includes(field) ? 'border-accent bg-accent-wash text-ink' : 'border-edge text-quiet hover:bg-sunk'}`}
              >
                <bdi>{camera[field]}</bdi>
              </button>
            ))}
          </fieldset>
        )}
        <LimitedField
          label={words.film}
          value={camera.film ?? ''}
          limit={TEXT_LIMITS.cameraDetail}
          onChange={(film) => dispatch({ type: 'photo-film-typed', id, film })}
          readOnly={isLocked}
        />
      </div>
    </details>
  )
}
