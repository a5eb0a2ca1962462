import type { ProjectModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { text } from '../fields.js';

/** Reference G4, projects. */
export const project = defineRecord<ProjectModel>()({
  model: 'Project',
  table: 'projects',
  list: 'projects',
  path: 'accounting/projects',
  dataModel: 'PROJECTS',
  category: 'ACCOUNTING',
  fields: {
    code: text('code'),
    name: text('name'),
    description: text('description'),
  },
});
