import { type ProfileSetting, useProfileSetting } from '../useProfileSetting'
import { SettingSwitch } from './SettingSwitch'

interface ProfileSwitchProps {
  setting: ProfileSetting
  label: string
  /** Describes the effect of the setting. */
  body: string
}

export function ProfileSwitch({ setting, label, body }: ProfileSwitchProps) {
  const [isOn, change] = useProfileSetting(setting)
  return <SettingSwitch label={label} body={body} isOn={isOn} onChange={change} />
}
