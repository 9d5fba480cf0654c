import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useMe } from '../../shell/session.ts'
import { OidcPanel } from './oidc-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { SecondFactorPanel } from './second-factor-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import { TokensPanel } from './tokens-panel.tsx'

/** What belongs to a person, in every organization. */
export function AccountScreen() {
  const me = useMe()
  return (
    <Page title="Your account">
      <Loaded query={me}>
        {({ name, email, secondFactor }) => (
          <>
            <ProfilePanel name={name} email={email} />
            <PasswordPanel asksCode={secondFactor?.on === true} />
            <SecondFactorPanel secondFactor={secondFactor} />
            <OidcPanel />
            <SessionsPanel />
            <TokensPanel />
          </>
        )}
      </Loaded>
    </Page>
  )
}
