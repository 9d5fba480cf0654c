import { signalEndpoints as endpoints, type Signal } from '@signalbox/contract/rest'
import { z } from 'zod'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Router } from '../../http/router.ts'
import { toConfirmation } from '../../config-model/confirmation.ts'
import { toCaller } from '../to-caller.ts'
import { presentSignal } from './present-signal.ts'
import { receiveAlert } from './receive-alert.ts'
import { createSignal, deleteSignal, updateSignal, type SavedSignal } from './save-signal.ts'
import { findSignalRow, pageSignalRows, type UsedSignalRow } from './signal-rows.ts'
import { testSignal, type SignalDeps } from './test-signal.ts'

type Reader = Parameters<typeof presentSignal>[1]

type Present = (row: UsedSignalRow, reader: Reader) => Signal

/** Presents a signal after a write. A repeat of the request doesn't get its secret. */
function toSaved(present: Present) {
  return {
    present: ({ row, secret }: SavedSignal, reader: Reader) => ({
      ...present(row, reader),
      secret,
    }),
    presentReplay: ({ row }: SavedSignal, reader: Reader) => ({
      ...present(row, reader),
      secret: null,
    }),
    versionOf: ({ row }: SavedSignal) => row.revision,
  }
}

/** Serves the endpoints of signals. */
export function mountSignals(router: Router, deps: SignalDeps): void {
  const { store } = deps
  const present: Present = (row, reader) => presentSignal(row, reader, deps.publicUrl())
  router
    .addPage(endpoints.listSignals, {
      position: z.string(),
      list: ({ organization, scope }, { after = '', limit }) =>
        store.transaction(scope, (tx) =>
          pageSignalRows(tx, organization.id, { after, limit: limit + 1 }),
        ),
      positionOf: ({ name }) => name,
      present,
    })
    .add(endpoints.getSignal, {
      async handle({ organization, scope, params }) {
        const row = await store.transaction(scope, (tx) =>
          findSignalRow(tx, organization.id, params.signal_id),
        )
        if (row === undefined) throw notFound()
        return row
      },
      present,
      versionOf: ({ revision }) => revision,
    })
  mountChanges(router, deps, present)
}

function mountChanges(router: Router, deps: SignalDeps, present: Present): void {
  const saved = toSaved(present)
  router
    .add(endpoints.createSignal, {
      handle: (request) => createSignal(deps, toCaller(request), request.body),
      ...saved,
    })
    .add(endpoints.updateSignal, {
      handle: (request) =>
        updateSignal(deps, toCaller(request), request.params.signal_id, {
          ...request.body,
          confirmation: toConfirmation(request.body),
          ifMatch: request.ifMatch,
        }),
      ...saved,
    })
    .add(endpoints.deleteSignal, {
      handle: (request) =>
        deleteSignal(deps, toCaller(request), {
          id: request.params.signal_id,
          ifMatch: request.ifMatch,
        }),
    })
    .add(endpoints.testSignal, {
      handle: (request) =>
        testSignal(deps, toCaller(request), { id: request.params.signal_id, ...request.body }),
      present: (reading) => reading,
    })
    .addRaw(endpoints.receiveAlert, async ({ params, ...request }) => {
      await receiveAlert(deps, params.signal_id, request)
      return { status: 202, headers: {}, body: '' }
    })
}
