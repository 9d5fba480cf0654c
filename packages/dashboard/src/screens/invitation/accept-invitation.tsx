import { useNavigate } from '@tanstack/react-router'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { FormProblem } from '../../components/states.tsx'

/** Lets the person who is signed in join the organization. */
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
                // In place of the link, whose token is used up and has no business in the browser's history.
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
