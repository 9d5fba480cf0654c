import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useRead } from '../../api/use-api.ts'
import { buttonClass } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { useMe } from '../../session/session.ts'
import { OidcPanel } from './oidc-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { SecondFactorPanel } from './second-factor-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import { TokensPanel } from './tokens-panel.tsx'

/** Renders the settings of a person, which apply in every organization. */
export function AccountScreen() {
  const me = useMe()
  const hasPassword = useHasPassword()
  return (
    <Page
      title="Your account"
      actions={
        <Link to="/" className={buttonClass()}>
          <ArrowLeft aria-hidden size={16} />
          Back to the overview
        </Link>
      }
    >
      <Loaded query={me}>
        {({ name, email, secondFactor }) => (
          <>
            <ProfilePanel name={name} email={email} />
            {hasPassword && <PasswordPanel asksCode={secondFactor?.on === true} />}
            {/* It stands beside a password: whom the provider lets in, it asks for a second factor itself. */}
            {(hasPassword || secondFactor?.on === true) && (
              <SecondFactorPanel secondFactor={secondFactor} />
            )}
            <OidcPanel />
            <SessionsPanel />
            <TokensPanel />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Returns whether the person has a password: who signs in by the OpenID provider may have none. False until known. */
function useHasPassword(): boolean {
  const { data, error } = useRead('GET /me/oidc')
  return data?.hasPassword ?? error !== null
}
