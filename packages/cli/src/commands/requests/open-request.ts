import { defineCommand } from '../../action.ts'
import { toRequestPage } from '../../api/requests/describe-request.ts'
import { openPage } from '../../device-login/open-page.ts'
import { findRequest, requestArgument } from './find-request.ts'

/** Defines a command that opens the page of a request. No token reviews: a person does, signed in to the dashboard. */
function defineOpening(verb: 'approve' | 'decline' | 'override', brief: string, about: string) {
  return defineCommand({
    brief,
    about,
    examples: [`signalbox ${verb} 12`],
    args: [requestArgument],
    run: async (session, _flags, reference) => {
      const { api, organization, request } = await findRequest(session, reference)
      const { output } = session
      const url = toRequestPage(api.serverUrl, organization, request)
      const { id, number, state } = request
      output.document({ url, request: { id, number, state } })
      output.note(
        `A person decides about a request, signed in to the dashboard. The page of request ${request.number}:`,
      )
      output.data(url)
      if (session.prompts.blockedBy === undefined) openPage(url, session.env)
    },
  })
}

/** Defines `signalbox approve`. */
export const approveCommand = defineOpening(
  'approve',
  'Open the page on which you approve a request',
  'Opens the page of a request in your browser, and prints its address. You approve it there: no token may approve a request, so that no program can.',
)

/** Defines `signalbox decline`. */
export const declineCommand = defineOpening(
  'decline',
  'Open the page on which you decline a request',
  'Opens the page of a request in your browser, and prints its address. You decline it there, with the reason.',
)

/** Defines `signalbox override`. */
export const overrideCommand = defineOpening(
  'override',
  'Open the page on which you apply a request in an emergency',
  'Opens the page of a request in your browser, and prints its address. Those whom the environment allows to apply a request there without its approvals, with their password and a comment. Every member can see it.',
)
