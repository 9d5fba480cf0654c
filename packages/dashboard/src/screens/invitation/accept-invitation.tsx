import { useNavigate } from '@tanstack/react-router'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { FormProblem } from '../../components/states.tsx'

/** Lets the signed-in person join the organization. */
export function AcceptInvitation({ token }: { readonly token: string }) {
  const accept = useWrite('POST /invitations/accept')
  const navigate = useNavigate()
  return (
    <>
      <FormProblem problem={accept.error} />
      <Button
        variant="primary"
        pending={accept.isPending}
        onClick={() =>
          accept.mutate(
            { body: { token } },
            {
              onSuccess: ({ organization }) =>
                // Replaces the link in the browser's history, because its token is used up.
                void navigate({
                  to: '/$org',
                  params: { org: organization.slug },
                  replace: true,
                }),
            },
          )
        }
      >
        Join
      </Button>
    </>
  )
}
