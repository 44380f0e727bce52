export default async function cicd_pipeline_generator(input) {
  console.log("🧠 Running skill: cicd-pipeline-generator");
  
  // TODO: implement actual logic for this skill
  return {
    message: "Skill 'cicd-pipeline-generator' executed successfully!",
    input
  };
}
