//! Trained networks as files: the tensors named and shaped as PyTorch does, so that inference and PyTorch read them.

use trilith_base::artifact::{Artifact, ArtifactError, ArtifactHeader, Tensor};

use super::TrainableNetwork;

/// A file of the network's tensors under `header`.
pub fn write<N: TrainableNetwork>(network: &N, header: ArtifactHeader) -> Artifact {
    let mut artifact = Artifact { header, ..Artifact::default() };
    let mut rest = network.parameters();
    for (name, shape) in network.tensors() {
        let (data, others) = rest.split_at(shape.iter().product());
        artifact.tensors.insert(name, Tensor { shape, data: data.to_vec() });
        rest = others;
    }
    artifact
}

/// Gives the network the parameters in a file, whose tensors must have its names and shapes.
pub fn read<N: TrainableNetwork>(network: &mut N, artifact: &Artifact) -> Result<(), ArtifactError> {
    let mut parameters = Vec::with_capacity(network.parameters().len());
    for (name, shape) in network.tensors() {
        parameters.extend_from_slice(artifact.tensor(&name, &shape)?);
    }
    network.parameters_mut().copy_from_slice(&parameters);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{TrainableCnn, TrainableMlp};
    use super::*;
    use trilith_base::Seed;
    use trilith_base::artifact::FORMAT;
    use trilith_eval::othello::network::{self as inference, ReversiNetwork as _};
    use trilith_games::Game;
    use trilith_games::othello::Othello;

    fn header(kind: &str) -> ArtifactHeader {
        ArtifactHeader {
            format: FORMAT,
            kind: kind.into(),
            game: Othello::NAME.into(),
            ..ArtifactHeader::default()
        }
    }

    #[test]
    fn inference_reads_what_was_trained() {
        let start = Othello::default().start();
        let bit = |side: u64| (0..64).map(move |square| (side >> square & 1) as f32);
        let mlp = TrainableMlp::reversi(Seed(8));
        let file = write(&mlp, header("mlp"));
        let inputs: Vec<f32> = bit(start.own).zip(bit(start.other)).map(|(own, other)| own - other).collect();
        let trained = mlp.forward(&inputs, &mut mlp.work(1))[0];
        let inferred = inference::Mlp::from_artifact(&file).unwrap().points(&start);
        assert!((trained - inferred).abs() < 1e-4, "{trained} {inferred}");
        let mut again = TrainableMlp::reversi(Seed(9));
        read(&mut again, &file).unwrap();
        assert_eq!(again.parameters(), mlp.parameters());

        let cnn = TrainableCnn::reversi(Seed(8));
        let file = write(&cnn, header("cnn"));
        let inputs: Vec<f32> = bit(start.own).chain(bit(start.other)).chain(bit(start.empties())).collect();
        let trained = cnn.forward(&inputs, &mut cnn.work(1))[0];
        let inferred = inference::Cnn::from_artifact(&file).unwrap().points(&start);
        assert!((trained - inferred).abs() < 1e-4, "{trained} {inferred}");
        assert!(read(&mut again, &file).unwrap_err().to_string().contains("no tensor `layers.0.weight`"));
    }
}
