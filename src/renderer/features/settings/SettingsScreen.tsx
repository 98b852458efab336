import { BackBar } from '#/renderer/components/BackBar'
import { usePreferences } from '#/renderer/features/desktop'
import { texts } from '#/renderer/lib/texts'
import { AccountSection } from './components/AccountSection'
import { AppearanceSection } from './components/AppearanceSection'
import { ComputerSection } from './components/ComputerSection'
import { MessagesFromSetting } from './components/MessagesFromSetting'
import { NotificationsSection } from './components/NotificationsSection'
import { SafetySection } from './components/SafetySection'
import { SectionLinks } from './components/SectionLinks'
import { SecuritySection } from './components/SecuritySection'
import { SettingSwitch, SettingsSection } from './components/SettingsSection'
import { type ProfileSetting, useProfileSetting } from './mutations'

const settings = texts.settings

const SWITCHES = [
  {
    title: settings.privacy,
    switches: [{ setting: 'is_private', label: settings.privateAccount, body: settings.privateAccountBody }],
  },
  {
    title: settings.activity,
    switches: [
      {
        setting: 'show_activity_status',
        label: settings.activityStatus,
        body: settings.activityStatusBody,
        note: settings.activityStatusNote,
      },
    ],
  },
  {
    title: settings.stories,
    switches: [
      { setting: 'allow_story_replies', label: settings.storyReplies, body: settings.storyRepliesBody },
    ],
  },
] as const

/** /settings: the sections below each other, beside a list of them in wide windows. */
export function SettingsScreen() {
  return (
    <main id="content" className="mx-auto max-w-150 px-4 pt-7 pb-16 lg:max-w-225">
      <BackBar title={texts.pages.settings} />
      <div className="lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-x-8">
        <SectionLinks />
        <Sections />
      </div>
    </main>
  )
}

function Sections() {
  return (
    <div>
      <div className="grid gap-4">
        {SWITCHES.map(({ title, switches }) => (
          <SettingsSection key={title} title={title}>
            <div className="grid gap-3.5">
              {switches.map((each) => (
                <ProfileSwitch key={each.setting} {...each} />
              ))}
              {title === settings.privacy && <MessagesFromSetting />}
              {title === settings.stories && <PlayOnSetting />}
            </div>
          </SettingsSection>
        ))}
        <AppearanceSection />
        <NotificationsSection />
        <ComputerSection />
        <SafetySection />
        <SecuritySection />
        <AccountSection />
      </div>
      <p className="mt-6 text-center text-[13px] text-quiet">{settings.shortcutsHint}</p>
    </div>
  )
}

/** Whether stories run on to the next member, on this computer. */
function PlayOnSetting() {
  const [{ playStoriesOn }, applyPreferencesPatch] = usePreferences()
  return (
    <SettingSwitch
      label={settings.playOn}
      body={settings.playOnBody}
      isOn={playStoriesOn}
      onChange={(isOn) => applyPreferencesPatch({ playStoriesOn: isOn })}
    />
  )
}

interface ProfileSwitchProps {
  setting: ProfileSetting
  label: string
  /** Describes the effect of the setting. */
  body: string
  note?: string
}

export function ProfileSwitch({ setting, ...labels }: ProfileSwitchProps) {
  const { isOn, isUnsaved, change } = useProfileSetting(setting)
  return (
    <SettingSwitch {...labels} isOn={isOn} status={isUnsaved ? settings.notSaved : ''} onChange={change} />
  )
}
