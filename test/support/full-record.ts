import type { UnifiedRecord } from '../../src/connectors/pull.js';
import type { RecordDefinition } from '../../src/records/define.js';
import { definitionOf } from '../../src/records/index.js';

/** A record with a value in every field; its references point to itself. */
export function fullRecord(definition: RecordDefinition, platformId: string): UnifiedRecord {
  const examples = {
    text: 'text',
    textList: ['one', 'two'],
    decimalNumber: '12.30',
    decimalText: '12.30',
    timestamp: '2026-01-02T03:04:05.678Z',
    date: '2026-01-02',
    boolean: true,
    svcId: 1,
    json: null,
    version: 'text',
  };
  const values = Object.fromEntries(
    Object.entries(definition.own).map(([name, field]) => {
      const relation = Object.values(definition.relations).find((one) => 'by' in one && one.by === name);
      if (relation && (relation.kind === 'one' || relation.kind === 'oneOfType')) return [name, platformId];
      if (relation && relation.kind === 'referenced') return [name, [platformId]];
      return [name, field.values?.[0] ?? examples[field.kind]];
    }),
  );
  const lines = Object.fromEntries(
    Object.entries(definition.relations).flatMap(([name, relation]) =>
      relation.kind === 'lines' || relation.kind === 'linesOf'
        ? [
            [
              name,
              [{ platformId: 'line', values: fullRecord(definitionOf(relation.target), platformId).values }],
            ],
          ]
        : [],
    ),
  );
  return { platformId, platformUniqueId: 'global', values, lines };
}
