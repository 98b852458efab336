import { useEffect, useId, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { useAbilities, usePreferences } from '#/renderer/features/desktop'
import { timeOfDay } from '#/renderer/lib/content/time'
import { texts } from '#/renderer/lib/texts'
import { NOTICE_CONTENTS } from '#/shared/notice-contents'
import { NOTIFICATION_TOPICS } from '#/shared/preferences'
import { Choice } from './Choice'
import { SettingSwitch, SettingsSection } from './SettingsSection'

const words = texts.settings.notifications

/** Settings of system notifications on this computer; hidden where they are not supported. */
export function NotificationsSection() {
  const [preferences, applyPreferencesPatch] = usePreferences()
  const { pausedUntil, pauseForAnHour, resume } = usePause()
  const abilities = useAbilities()
  if (abilities?.notifications !== true) return null
  return (
    <SettingsSection title={words.title}>
      <div className="grid gap-3.5">
        {NOTIFICATION_TOPICS.map((topic) => (
          <SettingSwitch
            key={topic}
            label={words.topics[topic]}
            isOn={preferences.notifications[topic]}
            onChange={(isOn) => applyPreferencesPatch({ notifications: { [topic]: isOn } })}
          />
        ))}
        <ContentSetting hasLockScreen={abilities.lockScreen} />
        {abilities.attention && (
          <SettingSwitch
            label={words.attention}
            body={words.attentionBody}
            isOn={preferences.drawAttention}
            onChange={(drawAttention) => applyPreferencesPatch({ drawAttention })}
          />
        )}
        <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2 border-line border-t pt-4">
          <p role="status" className="text-[13.5px] text-quiet">
            {pausedUntil === null ? words.pauseBody : words.pausedUntil(timeOfDay(pausedUntil))}
          </p>
          {pausedUntil === null ? (
            <Button onClick={pauseForAnHour}>{words.pause}</Button>
          ) : (
            <Button onClick={resume}>{words.resume}</Button>
          )}
        </div>
      </div>
    </SettingsSection>
  )
}

/** How much of a message or an event notifications show (DESK-17). */
function ContentSetting({ hasLockScreen }: { hasLockScreen: boolean }) {
  const [{ notificationContent, textOnLockScreen }, applyPreferencesPatch] = usePreferences()
  const id = useId()
  return (
    <div className="grid gap-3.5 border-line border-t pt-4">
      <div>
        <p id={id} className="mb-1.5 font-medium">
          {words.content.label}
        </p>
        <Choice
          aria-labelledby={id}
          value={notificationContent}
          values={NOTICE_CONTENTS}
          names={words.content.names}
          onChoose={(chosen) => applyPreferencesPatch({ notificationContent: chosen })}
        />
        <p role="status" className="mt-1.5 text-[13.5px] text-quiet">
          {words.content.bodies[notificationContent]}
        </p>
      </div>
      {hasLockScreen && notificationContent === 'text' && (
        <SettingSwitch
          label={words.lockScreen}
          body={words.lockScreenBody}
          isOn={textOnLockScreen}
          onChange={(isOn) => applyPreferencesPatch({ textOnLockScreen: isOn })}
        />
      )}
    </div>
  )
}

const HOUR_MS = 60 * 60 * 1_000

/** The pause of system notifications: its end in milliseconds since 1970, or null. */
export function usePause() {
  const [{ notificationsPausedUntil: until }, applyPreferencesPatch] = usePreferences()
  const [now, setNow] = useState(Date.now)
  const left = until === null ? 0 : until - now

  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setNow(Date.now()), left)
    return () => clearTimeout(timer)
  }, [left])

  return {
    pausedUntil: left > 0 ? until : null,
    pauseForAnHour: () => {
      const start = Date.now()
      setNow(start)
      applyPreferencesPatch({ notificationsPausedUntil: start + HOUR_MS })
    },
    resume: () => applyPreferencesPatch({ notificationsPausedUntil: null }),
  }
}
