import { useRead, useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { FormProblem, Loaded } from '../../parts/states.tsx'
import { Age } from '../../parts/time.tsx'

/** Signing in with the server's OpenID provider, where it has one. */
export function OidcPanel() {
  const { data: options } = useRead('GET /sign-in/options')
  const oidc = options?.oidc ?? null
  return oidc === null ? null : <LinkPanel providerName={oidc.name} />
}

function LinkPanel({ providerName }: { readonly providerName: string }) {
  const link = useRead('GET /me/oidc')
  const begin = useWrite('POST /me/oidc/link')
  const end = useWrite('DELETE /me/oidc')
  return (
    <Panel title={providerName}>
      <Loaded query={link}>
        {({ linked, hasPassword }) => (
          <div className="flex max-w-2xl flex-col gap-3">
            <FormProblem problem={begin.error ?? end.error} />
            {linked === null ? (
              <>
                <p className="text-muted">Link your account there, and it signs you in here.</p>
                <div>
                  <Button
                    pending={begin.isPending}
                    onClick={() =>
                      begin.mutate(
                        { body: { returnTo: '/account' } },
                        { onSuccess: ({ url }) => location.assign(url) },
                      )
                    }
                  >
                    Link {providerName}
                  </Button>
                </div>
              </>
            ) : (
              <>
                <p>
                  {linked.email ?? 'An account there'} signs you in, linked{' '}
                  <Age at={linked.linkedAt} />.
                </p>
                {hasPassword ? (
                  <div>
                    <Button look="danger" pending={end.isPending} onClick={() => end.mutate({})}>
                      End the link
                    </Button>
                  </div>
                ) : (
                  <p className="text-muted">It is your only way in, so it cannot be ended.</p>
                )}
              </>
            )}
          </div>
        )}
      </Loaded>
    </Panel>
  )
}
