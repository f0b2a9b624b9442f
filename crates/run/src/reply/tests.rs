//! Snapshots of the schemas as they are sent. Recordings, resumed runs and token estimates depend
//! on every byte of them.

use crate::ask::{BOUNDS, Tokens};
use crate::fixtures::rubric;
use crate::request::DeltaQuestion;
use crate::route::{ContextAnchors, RepairTask};
use crate::rubric::FixAction;
use crate::verdict::IssueSeverity;
use crate::{self_review, verdict, verify, write};
use redraft_gate::companion::{Companions, SourcePassage};
use redraft_gate::span::ComponentId;

fn with_sources() -> Companions {
    Companions {
        sources: vec![SourcePassage::default()],
        ..Companions::default()
    }
}

#[test]
fn the_schemas_that_are_sent_stay_the_same() {
    for (schema, expected) in [
        (
            verdict::schema(&rubric(), &Companions::default()),
            r#"{"type":"object","additionalProperties":false,"required":["text_id","issues","strengths","scores","overall","confidence"],"properties":{"text_id":{"type":"string"},"issues":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["criterion","severity","location","quote","description","suggested_fix"],"properties":{"criterion":{"type":"string","enum":["completeness","truth","clarity"]},"severity":{"type":"string","enum":["critical","major","minor"]},"location":{"type":"string"},"quote":{"type":"string"},"description":{"type":"string"},"suggested_fix":{"type":"string"}}},"maxItems":8},"strengths":{"type":"array","items":{"type":"string"},"maxItems":5},"scores":{"type":"object","additionalProperties":false,"required":["completeness","truth","clarity"],"properties":{"completeness":{"type":"number","minimum":0,"maximum":1},"truth":{"type":"number","minimum":0,"maximum":1},"clarity":{"type":"number","minimum":0,"maximum":1}}},"overall":{"type":"number","minimum":0,"maximum":1},"confidence":{"type":"string","enum":["high","medium","low"]}}}"#,
        ),
        (
            verdict::schema(&rubric(), &with_sources()),
            r#"{"type":"object","additionalProperties":false,"required":["text_id","issues","strengths","scores","overall","confidence"],"properties":{"text_id":{"type":"string"},"issues":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["criterion","severity","location","quote","source","description","suggested_fix"],"properties":{"criterion":{"type":"string","enum":["completeness","truth","clarity"]},"severity":{"type":"string","enum":["critical","major","minor"]},"location":{"type":"string"},"quote":{"type":"string"},"source":{"type":"string"},"description":{"type":"string"},"suggested_fix":{"type":"string"}}},"maxItems":8},"strengths":{"type":"array","items":{"type":"string"},"maxItems":5},"scores":{"type":"object","additionalProperties":false,"required":["completeness","truth","clarity"],"properties":{"completeness":{"type":"number","minimum":0,"maximum":1},"truth":{"type":"number","minimum":0,"maximum":1},"clarity":{"type":"number","minimum":0,"maximum":1}}},"overall":{"type":"number","minimum":0,"maximum":1},"confidence":{"type":"string","enum":["high","medium","low"]}}}"#,
        ),
        (
            self_review::schema(),
            r#"{"type":"object","additionalProperties":false,"required":["text_id","issues","edits","reasoning","status"],"properties":{"text_id":{"type":"string"},"issues":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["type","severity","location","description"],"properties":{"type":{"type":"string","enum":["TRUNCATION","LANGUAGE","ALIGNMENT","HALLUCINATION","HYGIENE"]},"severity":{"type":"string","enum":["CRITICAL","COMPLEX","FIXABLE","INFO"]},"location":{"type":"string"},"description":{"type":"string"}}}},"edits":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["location","search","replace"],"properties":{"location":{"type":"string"},"search":{"type":"string"},"replace":{"type":"string"}}}},"reasoning":{"type":"string"},"status":{"type":"string","enum":["PASS","PASS_WITH_FLAGS","FIXED","REGENERATE","FLAG_TO_JUDGE"]}}}"#,
        ),
        (
            write::plan_schema(),
            r#"{"type":"object","additionalProperties":false,"required":["title","introduction","sections","conclusion"],"properties":{"title":{"type":"string"},"introduction":{"type":"object","additionalProperties":false,"required":["purpose","key_points","words"],"properties":{"purpose":{"type":"string"},"key_points":{"type":"array","items":{"type":"string"}},"words":{"type":"integer","minimum":1,"maximum":1500}}},"sections":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["title","purpose","key_points","words"],"properties":{"purpose":{"type":"string"},"key_points":{"type":"array","items":{"type":"string"}},"words":{"type":"integer","minimum":1,"maximum":1500},"title":{"type":"string"}}}},"conclusion":{"type":"object","additionalProperties":false,"required":["title","purpose","key_points","words"],"properties":{"purpose":{"type":"string"},"key_points":{"type":"array","items":{"type":"string"}},"words":{"type":"integer","minimum":1,"maximum":1500},"title":{"type":"string"}}}}}"#,
        ),
        (
            verify::consistency_schema(),
            r#"{"type":"object","additionalProperties":false,"required":["reason","quote","fits"],"properties":{"reason":{"type":"string"},"quote":{"type":"string"},"fits":{"type":"string","enum":["yes","no"]}}}"#,
        ),
    ] {
        assert_eq!(schema.text(), expected);
    }
}

#[test]
fn every_schema_is_strict_with_and_without_its_bounds() {
    let task = RepairTask {
        section_id: ComponentId::from("sec_1"),
        section_title: String::new(),
        action_type: FixAction::RegenerateSection,
        synthesized_instructions: String::new(),
        constraints: vec!["Keep it short.".to_owned()],
        context_anchors: ContextAnchors::default(),
        priority: IssueSeverity::Major,
        source_issues: Vec::new(),
        check_after: Some(ComponentId::from("sec_2")),
        estimated_tokens: Tokens::default(),
        finding_words: Vec::new(),
    };
    for schema in [
        verdict::schema(&rubric(), &Companions::default()),
        verdict::schema(&rubric(), &with_sources()),
        self_review::schema(),
        write::plan_schema(),
        verify::consistency_schema(),
        verify::delta_schema(&task, DeltaQuestion::YesNo),
        verify::delta_schema(&task, DeltaQuestion::WhichIsBetter { after_first: true }),
    ] {
        assert!(schema.is_closed(), "{}", schema.text());
        let unbounded = schema.without_bounds();
        assert!(unbounded.is_closed(), "{}", unbounded.text());
        for bound in BOUNDS {
            assert!(
                !unbounded.text().contains(&format!("\"{bound}\":")),
                "{}",
                unbounded.text()
            );
        }
    }
}
