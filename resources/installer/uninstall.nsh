; electron-builder takes this into the uninstaller for Windows (electron-builder.yml, nsis.include).
; Removes what the app itself registered for the member as it ran, which the installer knows nothing of: the opener of its
; links, the start with the computer, what notifications start, and the shortcut they need. Not before an update.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    ; Links: only while they are this copy's, not another one's.
    ReadRegStr $R0 HKCU "Software\Classes\vignette\shell\open\command" ""
    ${if} $R0 == '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
      DeleteRegKey HKCU "Software\Classes\vignette"
    ${endIf}

    ; Start with the computer, and whether the member allowed it in the system's own list.
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"

    ; Notifications: TOAST_ACTIVATOR of src/main/app-identity.ts.
    DeleteRegKey HKCU "Software\Classes\CLSID\{B181E273-3AF8-4A21-AD0F-36E490A3430B}"

    ; Electron makes a shortcut for them where it finds none, as after an installation for all users.
    ${if} $installMode == "all"
      SetShellVarContext current
      Delete "$SMPROGRAMS\${SHORTCUT_NAME}.lnk"
      SetShellVarContext all
    ${endIf}
  ${endIf}
!macroend
