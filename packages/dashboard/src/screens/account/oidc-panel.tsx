import { useRead, useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { FormProblem, Loaded } from '../../components/states.tsx'
import { Age } from '../../components/time.tsx'

/** Renders the link to the server's OpenID provider, if it has one. */
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
    <Panel title={providerName} flush>
      <Loaded query={link}>
        {({ linked, hasPassword }) => (
          <div className="flex max-w-2xl flex-col gap-3 p-4">
            <FormProblem problem={begin.error ?? end.error} />
            {linked === null ? (
              <>
                <p className="text-muted">Link your account there to sign in with it.</p>
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
                  You sign in with {linked.email ?? 'your account there'}, linked{' '}
                  <Age at={linked.linkedAt} />.
                </p>
                {hasPassword ? (
                  <div>
                    <Button variant="danger" pending={end.isPending} onClick={() => end.mutate({})}>
                      Unlink
                    </Button>
                  </div>
                ) : (
                  <p className="text-muted">
                    You can’t unlink it, because it is your only way to sign in.
                  </p>
                )}
              </>
            )}
          </div>
        )}
      </Loaded>
    </Panel>
  )
}
